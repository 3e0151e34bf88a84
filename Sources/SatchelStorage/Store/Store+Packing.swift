internal import LMDB
internal import SatchelModel
internal import Synchronization

/// How far a process has got with joining the half empty pages of a store that is short of room.
struct TablePacking {
  /// Where it goes on: the number of a table, and a key in it; nil for its beginning.
  private(set) var place: (table: Int, key: [UInt8]?) = (0, nil)
  /// How many messages there were when the last table had been gone through; nil before that.
  private var rest: UInt64?

  /// Whether there may be something to join: not for as long as nearly all messages are there that were when it last had come to the end.
  mutating func begins(with messages: UInt64) -> Bool {
    guard let rest else { return true }
    guard messages <= rest - rest / 16 else { return false }
    self.rest = nil
    return true
  }

  /// Goes on behind a slice. Returns whether it was the last one, or another thread has done it meanwhile and goes on.
  /// - Parameters:
  ///   - done: Where the slice began.
  ///   - next: The key behind it; nil at the end of its table.
  mutating func pass(
    _ done: (table: Int, key: [UInt8]?), next: [UInt8]?, of tables: Int, with messages: UInt64
  ) -> Bool {
    guard done == place else { return true }
    place = next == nil ? (place.table + 1, nil) : (place.table, next)
    guard place.table == tables else { return false }
    place = (0, nil)
    rest = messages
    return true
  }
}

/// How the pages that deletions have left half empty become fewer.
///
/// Messages that are deleted one by one leave gaps in pages, and LMDB joins two only if one is three quarters empty. While there is room,
/// new records fill these gaps or lie elsewhere. When room is short, the pages of the records are joined, in bounded commits
/// that change nothing else: each needs room for the pages that it joins, which is a quarter of the reserve.
extension Store {
  /// Joins pages, up to a bound for the time that one write takes for that. The next one goes on.
  func packTables() throws {
    let messages = try reading(nil) { $0.seal[.messages].count }
    guard packing.withLock({ $0.begins(with: messages) }) else { return }
    let tables = [databases.messages, databases.bodies, databases.objects]
    let leaves = leavesOfSlice
    for _ in 0..<Self.mostSlices {
      let place = packing.withLock { $0.place }
      let next = try environment.write { transaction in
        try transaction.pack(
          tables[place.table], from: place.key, pages: leaves, reading: Self.mostLeavesRead
        ).next
      }
      if packing.withLock({ $0.pass(place, next: next, of: tables.count, with: messages) }) { break }
    }
  }

  /// How many leaves a slice joins, at most.
  private var leavesOfSlice: Int {
    let reserve = Environment.reserve(besideUsed: environment.usedBytes ?? 0)
    return reserve / (4 * Int(header.pageSize))
  }

  private static let mostSlices = 64
  private static let mostLeavesRead = 1024
}
