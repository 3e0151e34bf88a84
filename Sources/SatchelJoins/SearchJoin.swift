internal import RankedIndex
internal import RankedKeys
internal import SatchelIndexing
package import SatchelReading
package import SatchelSearch

/// Makes the streams of a search in an index of words: those of its terms, and of what has to be tested besides.
package struct SearchJoin {
  private let snapshot: Snapshot
  private let index: UInt32
  private let isDescending: Bool

  /// With at most so many terms, their rows are merged as they are wanted; of more all are collected first. Of so many, those that are not kept have
  /// to be opened at once.
  private static let mostMerged = 1 << 16
  private static let mostOpened = 4096
  /// The same of the terms with a beginning, whose rows lie side by side.
  private static let mostOfPrefix = 32

  private static var tree: TextTreeSchema { IndexCatalog.declaredEntries.tree }

  /// The group of the terms.
  private var group: UInt64 { WordEntries.terms.group(of: index) }

  package init(of index: UInt32, descending: Bool, in snapshot: Snapshot) {
    self.index = index
    isDescending = descending
    self.snapshot = snapshot
  }

  /// Returns the objects that match an expression, or may match it.
  package func stream(_ expression: SearchExpression) throws -> SearchStream {
    switch expression {
    case .nothing: return try .rows([])
    case .everything: return try .rows(rows([.group(WordEntries.lengths.group(of: index))]))
    case .not(let part): return try rows(of: stream(.everything), without: [stream(part)])
    case .term(let term): return try .term(rows(ofTerm: term))
    case .prefix(let prefix): return try stream(ofPrefix: prefix)
    case .suffix, .part, .cutTerm: return try stream(ofWords: [expression])
    case .and(let parts): return try conjunction(parts)
    case .or(let parts):
      // One look at the dictionary is enough for all of them.
      let words = parts.filter(\.looksAtTerms)
      var streams = try parts.filter { !$0.looksAtTerms }.map(stream)
      if !words.isEmpty { streams.append(try stream(ofWords: words)) }
      return try streams.isEmpty ? .rows([]) : .any(streams)
    case .field(_, let part), .reading(let part): return try stream(part)
    }
  }

  /// Returns the messages of a conversation, and perhaps others that are not visible.
  func messages(of conversation: UInt32) throws -> SearchStream {
    let mask = SearchStream.mask(descending: isDescending)
    let ahead = try snapshot.sequencesAhead(of: conversation).map { $0 ^ mask }
    let pending = try SearchStream.rows(isDescending ? ahead.reversed() : ahead)
    if snapshot.isWriting { return pending }
    let rows = try ConversationRows(of: conversation, descending: isDescending, in: snapshot)
    return try .any([.conversation(rows), pending])
  }

  /// Returns the objects with several texts, of which one has to match by itself.
  func several() throws -> SearchStream {
    try .term(rows(of: [], WordEntries.severalTexts.group(of: index)))
  }

  private func conjunction(_ parts: [SearchExpression]) throws -> SearchStream {
    var wanted: [(rows: Int, stream: SearchStream)] = []
    var excluded: [SearchStream] = []
    for part in parts {
      if case .not(let other) = part {
        excluded.append(try stream(other))
      } else {
        wanted.append((try count(part), try stream(part)))
      }
    }
    wanted.sort { $0.rows < $1.rows }
    let rows = try wanted.isEmpty ? stream(.everything) : .all(wanted.map(\.stream))
    return try excluded.isEmpty ? rows : self.rows(of: rows, without: excluded)
  }

  private func rows(of rows: SearchStream, without excluded: [SearchStream]) throws -> SearchStream {
    // One of several texts may match although another one has the word.
    try .except(rows, .any(excluded), unless: several())
  }

  private func count(_ expression: SearchExpression) throws -> Int {
    switch expression {
    case .term(let term): try snapshot.forest.count(Self.tree, in: .text(term, group: group))
    case .prefix(let prefix):
      try snapshot.forest.count(Self.tree, in: .prefix(prefix, group: group))
    case .or(let parts): try parts.reduce(0) { try $0 + count($1) }
    case .nothing: 0
    default: .max / 1024
    }
  }

  private func rows(of text: [UInt8], _ group: UInt64) throws -> TermRows {
    try TermRows(of: text, group: group, descending: isDescending, in: snapshot)
  }

  /// Returns the rows of a term.
  func rows(ofTerm term: [UInt8]) throws -> TermRows { try rows(of: term, group) }

  /// Whether a term still has a row, or its complement, that the tree says is its only one.
  func has(_ row: UInt64, _ term: [UInt8]) throws -> Bool {
    let key = TextKey(group: group, text: term, row: row ^ SearchStream.mask(descending: isDescending))
    return try !snapshot.forest.isRemoved(key, from: Self.tree)
  }

  // MARK: Several terms

  private func stream(ofPrefix prefix: [UInt8]) throws -> SearchStream {
    let terms = try terms(beginning: prefix, atMost: Self.mostOfPrefix + 1)
    guard terms.count <= Self.mostOfPrefix else { return try .rows(rows([.prefix(prefix, group: group)])) }
    return terms.isEmpty ? try .rows([]) : try .any(terms.map { try .term(rows(ofTerm: $0)) })
  }

  /// Returns the rows of the terms that expressions mean that are found by a look at all terms.
  private func stream(ofWords words: [SearchExpression]) throws -> SearchStream {
    var search = TermSearch(words)
    let kept = try snapshot.keptTerms(ofWords: index, cutMark: TextTerms.cutMark)
    if let kept { search.look(through: kept) }
    // Some at a time: there may be very many.
    var terms: [UInt8] = [0]
    func gather(_ term: borrowing RawSpan) throws -> Bool {
      unsafe term.withUnsafeBytes { unsafe terms.append(contentsOf: $0) }
      terms.append(0)
      if terms.count > Self.gatheredBytes {
        search.look(through: terms)
        terms = [0]
        try snapshot.checkBounds()
      }
      return true
    }
    let all = TextRange.group(group)
    if kept != nil {
      try snapshot.forest.forEachPendingText(of: Self.tree, in: all, gather)
    } else {
      try snapshot.forest.forEachText(of: Self.tree, in: all, gather)
    }
    search.look(through: terms)
    if search.count == 0 { return try .rows([]) }
    if search.count > Self.mostMerged || search.others.count > Self.mostOpened {
      return try .rows(collected(search.terms(kept)))
    }
    return try .union(TermUnion(search, kept, of: self, descending: isDescending))
  }

  private static let gatheredBytes = 1 << 16

  /// Returns the terms that begin so, each once; some of them if there are more.
  private func terms(beginning prefix: [UInt8], atMost most: Int) throws -> [[UInt8]] {
    var terms: Set<[UInt8]> = []
    try snapshot.forest.forEachText(of: Self.tree, in: .prefix(prefix, group: group)) { term in
      terms.insert(unsafe term.withUnsafeBytes { unsafe [UInt8]($0) })
      return terms.count < most
    }
    return Array(terms)
  }

  /// Returns the rows of some terms, given in the order of the tree, each once, in the order of streams.
  func collected(_ terms: [[UInt8]]) throws -> [UInt64] {
    try rows(terms.map { .text($0, group: group) })
  }

  private func rows(_ ranges: [TextRange]) throws -> [UInt64] {
    var rows: [UInt64] = []
    var cursor = try snapshot.forest.cursor(Self.tree)
    for range in ranges {
      try cursor.seek(to: range.lower)
      while try cursor.read(into: &rows, upTo: range.upper, limit: Self.batch) { try snapshot.checkBounds() }
    }
    let mask = SearchStream.mask(descending: isDescending)
    return rows.sortedOnce.map { $0 ^ mask }.inOrder(descending: isDescending)
  }

  private static let batch = 4096
}

extension SearchExpression {
  /// Whether it is found by a look at all terms.
  fileprivate var looksAtTerms: Bool {
    switch self {
    case .suffix, .part, .cutTerm: true
    case .reading(.cutTerm): true
    default: false
    }
  }
}

extension [UInt64] {
  /// The rows in ascending order, each once: by a bit for each number between the least and the greatest, where these are not many more.
  fileprivate var sortedOnce: [UInt64] {
    guard let least = self.min(), let greatest = self.max() else { return [] }
    let words = (greatest - least) / 64 + 1
    guard words <= UInt64(count) else {
      var rows = sorted()
      var kept = 1
      for place in 1..<Swift.max(1, rows.count) where rows[place] != rows[kept - 1] {
        rows[kept] = rows[place]
        kept += 1
      }
      rows.removeLast(rows.count - kept)
      return rows
    }
    var bits = [UInt64](repeating: 0, count: Int(words))
    for row in self { bits[Int((row - least) / 64)] |= 1 << ((row - least) % 64) }
    var rows: [UInt64] = []
    rows.reserveCapacity(count)
    for (place, word) in bits.enumerated() {
      var word = word
      while word != 0 {
        rows.append(least + UInt64(place * 64 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
    return rows
  }

  fileprivate func inOrder(descending: Bool) -> [UInt64] { descending ? reversed() : self }
}
