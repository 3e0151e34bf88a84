internal import RankedIndex
internal import RankedKeys
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelRecords

// The edges of a kind from one user are one range of the index of names, and those to one user one range of the values of `inverse`, with the
// same texts where both are there: `RelationName`. No record is read.
extension Snapshot {
  /// Returns whether a user is one of some related users.
  /// - Parameters:
  ///   - user: The bytes of the user id.
  ///   - type: The number of the type of relations.
  /// - Complexity: O(log n).
  package func isRelated(_ user: [UInt8], in users: RelatedUsers, ofType type: UInt32) throws -> Bool {
    try users.edges(of: user).allSatisfy { try locateRecord(ofType: type, $0) != nil }
  }

  /// Returns how many users are related to a user.
  /// - Complexity: O(log n); of mutual relations O(m log n), where m is the number of edges in the direction that has fewer.
  package func count(of users: RelatedUsers, ofType type: UInt32) throws -> Int {
    let edges = try edges(users, ofType: type)
    switch users.direction {
    case .outward: return try edges.outward.count(in: self)
    case .inward: return try edges.inward?.count(in: self) ?? 0
    case .mutual:
      var count = 0
      try forEachMutual(edges) { _ in
        count += 1
        return true
      }
      return count
    }
  }

  /// Returns the ids of related users, in the order of their bytes as names have them.
  /// - Parameter limit: How many there may be. Of mutual relations, so many edges may be in the direction that has fewer.
  /// - Returns: Nil if there are more.
  /// - Complexity: O(log n + k) for k users; of mutual relations as `count(of:ofType:)`.
  package func ids(of users: RelatedUsers, ofType type: UInt32, limit: Int) throws -> [[UInt8]]? {
    let edges = try edges(users, ofType: type)
    var found: [[UInt8]] = []
    func add(_ text: [UInt8]) -> Bool {
      found.append(RelationName.decoded(text[edges.outward.prefix.count...]))
      return true
    }
    switch users.direction {
    case .outward:
      guard try edges.outward.count(in: self) <= limit else { return nil }
      try edges.outward.forEach(in: self, add)
    case .inward:
      guard let inward = edges.inward else { return [] }
      guard try inward.count(in: self) <= limit else { return nil }
      try inward.forEach(in: self, add)
    case .mutual:
      guard let inward = edges.inward else { return [] }
      guard try min(edges.outward.count(in: self), inward.count(in: self)) <= limit else { return nil }
      try forEachMutual(edges, add)
    }
    return found
  }

  /// The edges of a kind from a user, and those to the user; the latter are nil if there has never been an edge.
  private struct Edges {
    let outward: EdgeRange
    let inward: EdgeRange?
  }

  private func edges(_ users: RelatedUsers, ofType type: UInt32) throws -> Edges {
    let prefix = RelationName.prefix(users.kind, of: Array(users.user.rawValue.utf8))
    let inverse = try metadataPaths.number(of: "inverse").map {
      IndexedRecord.group(ofType: type, path: $0, texts: true)
    }
    return Edges(
      outward: EdgeRange(
        tree: IndexCatalog.recordIdentifier.tree, group: IndexedRecord.group(ofType: type), prefix: prefix),
      inward: inverse.map { EdgeRange(tree: IndexCatalog.recordFields.tree, group: $0, prefix: prefix) })
  }

  /// Goes through the texts that are in both ranges, until `visit` returns false.
  private func forEachMutual(_ edges: Edges, _ visit: ([UInt8]) throws -> Bool) throws {
    guard let inward = edges.inward else { return }
    var one = EdgeCursor(edges.outward, try edges.outward.cursor(in: self))
    var other = EdgeCursor(inward, try inward.cursor(in: self))
    guard try one.next(), try other.next() else { return }
    while true {
      let order = one.text.compare(other.text)
      if order < 0 {
        guard try one.next(from: other.text) else { return }
      } else if order > 0 {
        guard try other.next(from: one.text) else { return }
      } else {
        guard try visit(one.text), try one.next(), try other.next() else { return }
      }
    }
  }
}

/// The texts with one beginning in a tree.
private struct EdgeRange {
  let tree: TextTreeSchema
  let group: UInt64
  let prefix: [UInt8]

  func count(in snapshot: Snapshot) throws -> Int {
    try snapshot.forest.count(tree, in: .prefix(prefix, group: group))
  }

  /// Returns a cursor before the first of them.
  func cursor(in snapshot: Snapshot) throws -> MergedTextCursor {
    var cursor = try snapshot.forest.cursor(tree)
    try cursor.seek(to: .before(group: group, text: prefix))
    return cursor
  }

  /// Goes through them until `visit` returns false.
  func forEach(in snapshot: Snapshot, _ visit: ([UInt8]) throws -> Bool) throws {
    var cursor = EdgeCursor(self, try cursor(in: snapshot))
    while try cursor.next() { guard try visit(cursor.text) else { return } }
  }
}

/// Steps through the texts of a range.
private struct EdgeCursor: ~Copyable {
  private let range: EdgeRange
  private var cursor: MergedTextCursor
  /// The text that it has moved over last.
  private(set) var text: [UInt8] = []

  /// So many texts are looked at before the next one is sought: about as many as a descent costs.
  private static var near: Int { 16 }

  init(_ range: EdgeRange, _ cursor: consuming MergedTextCursor) {
    self.range = range
    self.cursor = cursor
  }

  /// Moves over the next text; false behind the last one.
  mutating func next() throws -> Bool {
    guard try cursor.next() != nil, try cursor.read(text: &text) == range.group else { return false }
    return text.begins(with: range.prefix)
  }

  /// Moves over the next text that does not come before another one.
  mutating func next(from other: [UInt8]) throws -> Bool {
    for _ in 0..<Self.near {
      guard try next() else { return false }
      if text.compare(other) >= 0 { return true }
    }
    try cursor.seek(to: .before(group: range.group, text: other))
    return try next()
  }
}
