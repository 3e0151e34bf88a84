package import RankedKeys
internal import SatchelIndexing

/// Identifiers of messages that the current transaction has added or removed and that have not reached the indexes yet.
package struct PendingIdentifiers {
  /// Added rows of `message.identifier`, by hash.
  private var added: [UInt64: Words] = [:]
  /// Added rows whose hash is that of another row in `added`, by hash: at most `Writer.maximumOfOneHash` of each.
  private var colliding: [UInt64: [Words]] = [:]
  /// Rows to be removed from an index, by sequence.
  package private(set) var removed: [UInt64: Words] = [:]

  /// The most rows that are kept; each takes about 100 bytes.
  package static let maximum = 65_536

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty }
  package var isFull: Bool { count >= Self.maximum }

  package var count: Int { addedCount + removed.count }

  /// How many rows are to be inserted into an index.
  package private(set) var addedCount = 0

  package init() {}

  package mutating func insert(_ row: Words) {
    addedCount += 1
    let hash = Self.hash(of: row)
    guard let other = added.updateValue(row, forKey: hash) else { return }
    colliding[hash, default: []].append(other)
  }

  package mutating func remove(_ row: Words) {
    let hash = Self.hash(of: row)
    let sequence = Self.sequence(of: row)
    if let other = added[hash], Self.sequence(of: other) == sequence {
      added[hash] = colliding[hash]?.popLast()
      addedCount -= 1
    } else if let index = colliding[hash]?.firstIndex(where: { Self.sequence(of: $0) == sequence }) {
      colliding[hash]?.remove(at: index)
      addedCount -= 1
    } else {
      removed[sequence] = row
    }
  }

  /// Returns the added rows of a hash.
  package func rows(of hash: UInt64) -> [Words] {
    guard let row = added[hash] else { return [] }
    return colliding.isEmpty ? [row] : [row] + (colliding[hash] ?? [])
  }

  package func forEachAdded(_ body: (Words) -> Void) {
    for row in added.values { body(row) }
    for rows in colliding.values { for row in rows { body(row) } }
  }

  package mutating func removeAll() {
    added.removeAll(keepingCapacity: true)
    colliding.removeAll()
    addedCount = 0
    removed.removeAll()
  }

  private static func hash(of row: Words) -> UInt64 { IndexCatalog.messageIdentifier.first(of: row) }

  private static func sequence(of row: Words) -> UInt64 { IndexCatalog.messageIdentifier.sequence(of: row) }
}
