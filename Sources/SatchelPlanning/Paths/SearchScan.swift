package import RankedKeys
internal import SatchelIndexing
package import SatchelModel
package import SatchelQuery
package import SatchelSearch

/// The objects that match patterns, by the terms that an index of words has of them.
package struct SearchScan: Sendable {
  package let index: DeclaredIndex
  package let kind: ObjectKind
  /// The number of the type of the records; 0 of other objects.
  package let recordType: UInt32
  /// The conversation that the messages are in; nil of all.
  package internal(set) var conversation: UInt32?
  /// The objects among which all that match are.
  package let terms: SearchExpression
  /// What is tested on objects of which the terms do not say whether they match.
  package var test: Condition
  /// Which objects these are.
  package var doubt: Doubt
  /// The patterns, for explain.
  package let patterns: [SearchPattern]
  package internal(set) var estimate: SearchEstimate

  /// The objects of which terms do not say whether they match.
  package struct Doubt: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Those with several texts, of which one has to match by itself.
    package static let several = Doubt(rawValue: 1)
    /// Those with a word that is longer than terms are.
    package static let cut = Doubt(rawValue: 2)
    package static let all = Doubt(rawValue: 4)
  }

  package static let tree = IndexCatalog.declaredEntries.tree
}

/// What a join of terms is expected to take.
package struct SearchEstimate: Sendable {
  /// The most objects that it can give.
  package var rows: Int
  /// How many it is expected to give.
  package var likelyRows: Double
  /// The entries that are read, and the nodes that are visited, if all of them are wanted.
  package var entries = 0.0
  package var nodes = 0.0
  /// The entries that are read before there is a first one.
  package var before = 0.0

  /// That of the run of one term.
  init(entriesOfTerm count: Int) { self.init(rows: count, entries: Double(count), nodes: 3) }

  /// - Parameter likelyRows: As many as it can give, if nothing is known.
  init(rows: Int, likelyRows: Double? = nil, entries: Double = 0, nodes: Double = 0, before: Double = 0) {
    self.rows = rows
    self.likelyRows = likelyRows ?? Double(rows)
    self.entries = entries
    self.nodes = nodes
    self.before = before
  }
}

extension SearchExpression {
  /// Whether the objects that match have one of several terms, rather than none or everything: what an index can give without looking at all
  /// objects.
  var isJoinable: Bool {
    switch self {
    case .nothing, .term, .prefix, .suffix, .part, .cutTerm: true
    case .everything, .not: false
    case .and(let parts): parts.contains(where: \.isJoinable)
    case .or(let parts): parts.allSatisfy(\.isJoinable)
    case .field(_, let part), .reading(let part): part.isJoinable
    }
  }

  /// Whether each object that matches does so by one word, so that it does not matter in which of its texts the word is.
  var isOfOneWord: Bool {
    switch self {
    case .nothing, .everything, .term, .prefix, .suffix, .part, .cutTerm: true
    case .and, .not: false
    case .or(let parts): parts.allSatisfy(\.isOfOneWord)
    case .field(_, let part), .reading(let part): part.isOfOneWord
    }
  }

  /// Of which objects the terms leave it open whether they match, each by one text.
  var doubt: SearchScan.Doubt {
    switch self {
    case .reading(.cutTerm): .cut
    case .reading: .all
    case .nothing, .everything, .term, .prefix, .suffix, .part, .cutTerm: []
    case .and(let parts), .or(let parts): parts.reduce([]) { $0.union($1.doubt) }
    // Whoever has such a word may match after all.
    case .not(let part): part.doubt.isEmpty ? [] : .all
    case .field(_, let part): part.doubt
    }
  }
}
