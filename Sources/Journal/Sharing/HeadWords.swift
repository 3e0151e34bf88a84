internal import Synchronization

/// The words of a mapped head, which several processes read and write at the same time.
///
/// Every index is checked, so the pointer is never used outside of the map.
@safe struct HeadWords: @unchecked Sendable {
  let start: UnsafeMutablePointer<Atomic<UInt64>>

  func load(_ index: Int) -> UInt64 { unsafe start[checked(index)].load(ordering: .relaxed) }

  /// Loads a number so that no load behind this one is done before it.
  func acquire(_ index: Int) -> UInt64 { unsafe start[checked(index)].load(ordering: .acquiring) }

  func store(_ index: Int, _ value: UInt64) { unsafe start[checked(index)].store(value, ordering: .relaxed) }

  /// Stores a number so that who sees it sees all stores before this one.
  func release(_ index: Int, _ value: UInt64) {
    unsafe start[checked(index)].store(value, ordering: .releasing)
  }

  private func checked(_ index: Int) -> Int {
    precondition(0..<JournalHead.size / 8 ~= index, "no such word")
    return index
  }
}
