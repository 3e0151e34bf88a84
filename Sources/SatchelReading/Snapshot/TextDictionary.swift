internal import RankedIndex
package import RankedKeys
internal import RecordStore
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel

/// The texts of one dictionary and their numbers, as a snapshot sees them.
package struct TextDictionary {
  private let snapshot: Snapshot
  private let kind: DictionaryKind

  package init(_ snapshot: Snapshot, _ kind: DictionaryKind) {
    self.snapshot = snapshot
    self.kind = kind
  }

  /// The number of entries. O(log n).
  package var count: Int {
    get throws {
      try snapshot.forest.count(IndexCatalog.dictionaryText.tree, in: .group(UInt64(kind.rawValue)))
    }
  }

  /// Returns the number of a text, compared by its bytes; nil if it has none.
  package func number(of text: String) throws -> UInt32? {
    if let number = knownNumber(of: text) ?? snapshot.pending?.number(kind, of: text) { return number }
    guard let number = try snapshot.dictionaryNumber(kind, Array(text.utf8)) else { return nil }
    // The text is in the tree and not pending, so it is committed, even if this is a write transaction.
    remember(number, text)
    return number
  }

  private func knownNumber(of text: String) -> UInt32? {
    guard let memory = snapshot.memory else { return table.number(of: text) }
    return memory.number(kind, of: text, in: table)
  }

  /// Returns the text of a number that a record or index refers to.
  package func text(_ number: UInt32) throws -> String {
    if let text = table.text(number) ?? snapshot.pending?.text(kind, number) { return text }
    guard case .text(let bytes) = try snapshot.dictionaryEntry(kind, number),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw RecordError("dictionaries", "\(kind)/\(number)", "it is not a text") }
    remember(number, text)
    return text
  }

  private var table: TextTable { snapshot.textTables[Int(kind.rawValue)] }

  private func remember(_ number: UInt32, _ text: String) {
    snapshot.textTables[Int(kind.rawValue)] = snapshot.cache.add(kind, number, text)
  }

  /// Returns the UTF-8 bytes of the text of a number.
  package func utf8(_ number: UInt32) throws -> [UInt8] { try Array(text(number).utf8) }

  /// Calls `visit` with the entries of a range of texts, by ascending bytes, until `visit` returns false. The bounds of
  /// the range must be in the group `group`.
  package func forEach(
    in range: TextRange? = nil, _ visit: (_ number: UInt32, _ text: [UInt8]) throws -> Bool
  ) throws {
    let range = range ?? .group(group)
    let end = try snapshot.forest.rank(IndexCatalog.dictionaryText.tree, of: range.upper)
    var cursor = try snapshot.forest.cursor(IndexCatalog.dictionaryText.tree)
    try cursor.seek(to: range.lower)
    while cursor.rank < end, let row = try cursor.next(), let text = try cursor.text() {
      guard try visit(UInt32(truncatingIfNeeded: row), text) else { return }
    }
  }

  /// Returns the numbers of the texts that begin with these bytes, by ascending text.
  package func numbers(prefix: [UInt8]) throws -> [UInt32] {
    try numbers(in: .prefix(prefix, group: group))
  }

  /// Returns the numbers of the texts in a range, by ascending text. Reads no text.
  package func numbers(in range: TextRange) throws -> [UInt32] {
    var cursor = try snapshot.forest.cursor(IndexCatalog.dictionaryText.tree)
    try cursor.seek(to: range.lower)
    var rows: [UInt64] = []
    _ = try cursor.read(into: &rows, upTo: range.upper, limit: .max)
    return rows.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The dictionary's group in `dictionary.text`, for the bounds of a range.
  package var group: UInt64 { UInt64(kind.rawValue) }
}

/// The sets of one dictionary and their numbers, as a snapshot sees them.
package struct SetDictionary {
  private let snapshot: Snapshot
  private let kind: DictionaryKind

  package init(_ snapshot: Snapshot, _ kind: DictionaryKind) {
    self.snapshot = snapshot
    self.kind = kind
  }

  /// The number of sets, which are numbered from 0. O(log n).
  package var count: Int {
    get throws {
      try snapshot.forest.count(IndexCatalog.dictionaryText.tree, in: .group(UInt64(kind.rawValue)))
    }
  }

  /// Returns the number of a set, given by its ascending members; nil if it has none.
  package func number(of members: [UInt32]) throws -> UInt32? {
    let known =
      snapshot.memory.map { $0.number(kind, of: members) } ?? snapshot.cache.number(kind, of: members)
    if let number = known ?? snapshot.pending?.number(kind, of: members) { return number }
    guard let number = try snapshot.dictionaryNumber(kind, DictionaryEntry.packed(members)) else {
      return nil
    }
    snapshot.cache.add(kind, number, members)
    return number
  }

  /// Returns the ascending members of a set that a record or index refers to.
  package func members(_ number: UInt32) throws -> [UInt32] {
    let known = snapshot.memory.map { $0.members(kind, number) } ?? snapshot.cache.members(kind, number)
    if let set = known ?? snapshot.pending?.members(kind, number) { return set }
    guard case .set(let set) = try snapshot.dictionaryEntry(kind, number) else {
      throw RecordError("dictionaries", "\(kind)/\(number)", "it is not a set")
    }
    snapshot.cache.add(kind, number, set)
    return set
  }
}

extension Snapshot {
  package var users: TextDictionary { TextDictionary(self, .users) }
  package var mimeTypes: TextDictionary { TextDictionary(self, .mimeTypes) }
  package var metadataPaths: TextDictionary { TextDictionary(self, .metadataPaths) }

  /// Returns the key path of metadata that a log entry or an index names by its number.
  package func metadataPath(_ number: UInt32) throws -> MetadataPath {
    guard let path = MetadataPath(stored: try metadataPaths.text(number)) else {
      throw RecordError("dictionaries", "metadataPaths/\(number)", "it is no key path")
    }
    return path
  }

  package var typeSets: SetDictionary { SetDictionary(self, .typeSets) }
  package var participantSets: SetDictionary { SetDictionary(self, .participantSets) }

  /// Returns the number under which a dictionary holds these bytes, or nil.
  func dictionaryNumber(_ kind: DictionaryKind, _ bytes: [UInt8]) throws -> UInt32? {
    let range = TextRange.text(bytes, group: UInt64(kind.rawValue))
    // What a write has added is among its pending entries, which the caller has already searched.
    return try forest.firstKnownRow(IndexCatalog.dictionaryText.tree, in: range)
      .map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Returns an entry that must exist, because something refers to it.
  package func dictionaryEntry(_ kind: DictionaryKind, _ number: UInt32) throws -> DictionaryEntry {
    guard
      let bytes = unsafe try tables.get(.objects, ObjectKey.dictionary(kind, id: number).bytes)
    else {
      throw RecordError("dictionaries", "\(kind)/\(number)", "a record or index names it, and it is missing")
    }
    do {
      return unsafe try DictionaryEntry(bytes, kind, id: number)
    } catch {
      throw RecordError("dictionaries", "\(kind)/\(number)", error.description)
    }
  }
}
