internal import Journal
internal import RecordStore

/// The tails that a process knows, with the head whose stamp says whether there is something newer. An immutable object,
/// which all readers share.
final class KnownTails: Sendable {
  /// Goes with the newest state of LMDB; nil if none was read yet.
  let current: Tail?
  /// Goes with the state of LMDB before it, which a read or a write that has begun a moment ago may have. Has no fewer commits than
  /// `stamp` says, as `current`: it is nil if those that others have appended are missing in it.
  let former: Tail?
  let head: JournalHead?
  /// The stamp of the head up to which `current` has everything.
  let stamp: UInt64

  init(current: Tail? = nil, former: Tail? = nil, head: JournalHead? = nil, stamp: UInt64 = 0) {
    self.current = current
    self.former = former
    self.head = head
    self.stamp = stamp
  }

  /// Whether nothing has been published since.
  var isUpToDate: Bool { head.map { covers($0.stamp) } ?? false }

  /// Whether `current` has everything that was published under a stamp. A publication of this process is known here just before the
  /// head has it. Any other stamp is that of something new, also a lower one: an older head may have been put there.
  func covers(_ stamp: UInt64) -> Bool { stamp == self.stamp || stamp &+ 1 == self.stamp }

  /// Returns a tail if it has all commits up to a point.
  static func whole(_ tail: Tail?, through point: JournalPoint) -> Tail? {
    guard let tail, tail.point.sequence >= point.sequence else { return nil }
    return tail
  }

  /// Returns the tail that begins after a point; nil if there is none.
  func tail(after point: JournalPoint) -> Tail? {
    if let current, current.base == point { return current }
    if let former, former.base == point { return former }
    return nil
  }
}
