/// The pending changes of one database: records that are put or removed and not in the database yet. An immutable value,
/// which readers keep while others add changes to theirs.
///
/// The changes lie in two runs. Those that are added last go into the small one, which is copied each time; when it is
/// full, it is merged into the large one. So adding a change costs little however many there are, and a reader looks
/// into two runs.
struct PendingRecords: Sendable {
  let large: RecordRun
  let small: RecordRun
  /// Has the values.
  let arena: RecordArena
  /// The number of changes that have been added, of which later ones may have replaced earlier ones.
  private let arrived: UInt32

  init(_ arena: RecordArena) {
    self.init(large: .empty, small: .empty, arena, arrived: 0)
  }

  private init(large: RecordRun, small: RecordRun, _ arena: RecordArena, arrived: UInt32) {
    self.large = large
    self.small = small
    self.arena = arena
    self.arrived = arrived
  }

  /// The number of changes, of which two may have one key.
  var count: Int { large.count + small.count }

  /// Returns the change of a key, or nil. O(log n).
  func find(_ key: RecordKey) -> RecordChange? { small.find(key) ?? large.find(key) }

  /// Returns the pending records with later changes, in the order of arrival.
  func adding(_ changes: [RecordChange]) -> PendingRecords {
    let small = small.adding(changes, numberedFrom: arrived)
    let arrived = arrived &+ UInt32(truncatingIfNeeded: changes.count)
    guard small.count > Self.smallRunBound else {
      return PendingRecords(large: large, small: small, arena, arrived: arrived)
    }
    return PendingRecords(large: large.adding(small), small: .empty, arena, arrived: arrived)
  }

  /// Returns the same, held by an arena that has the values of this one's.
  func moved(to arena: RecordArena) -> PendingRecords {
    PendingRecords(large: large, small: small, arena, arrived: arrived)
  }

  /// All changes in one run.
  var merged: RecordRun { large.adding(small) }

  /// The greatest number of changes of the small run: a copy of some pages.
  static let smallRunBound = 256
}
