internal import RankedIndex
internal import SatchelIndexing

/// Identifiers of messages that the current transaction has added or removed and that have not reached the indexes yet.
struct PendingIdentifiers {
  /// Added rows of `message.identifier`, by hash.
  private var added: [UInt64: Words] = [:]
  /// Added rows whose hash is that of another row in `added`.
  private var colliding: [Words] = []
  /// Rows to be removed from an index, by sequence.
  private(set) var removed: [UInt64: Words] = [:]

  /// The most rows that are kept; each takes about 100 bytes.
  static let maximum = 65_536

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }
  var isFull: Bool { count >= Self.maximum }

  var count: Int { addedCount + removed.count }

  /// How many rows are to be inserted into an index.
  var addedCount: Int { added.count + colliding.count }

  mutating func insert(_ row: Words) {
    guard let other = added.updateValue(row, forKey: row[0]) else { return }
    colliding.append(other)
  }

  mutating func remove(_ row: Words) {
    if added[row[0]]?[1] == row[1] {
      added[row[0]] = colliding.firstIndex { $0[0] == row[0] }.map { colliding.remove(at: $0) }
    } else if let index = colliding.firstIndex(where: { $0[1] == row[1] }) {
      colliding.remove(at: index)
    } else {
      removed[row[1]] = row
    }
  }

  /// Returns the added rows of a hash.
  func rows(of hash: UInt64) -> [Words] {
    guard let row = added[hash] else { return [] }
    return colliding.isEmpty ? [row] : [row] + colliding.filter { $0[0] == hash }
  }

  func forEachAdded(_ body: (Words) -> Void) {
    for row in added.values { body(row) }
    for row in colliding { body(row) }
  }

  mutating func removeAll() {
    added.removeAll(keepingCapacity: true)
    colliding.removeAll()
    removed.removeAll()
  }
}
