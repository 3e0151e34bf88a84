package import StoreFiles
internal import Synchronization

/// Words that several processes read and write at the same time: what a head is, to its readers and writers.
package protocol HeadMemory: AnyObject, Sendable {
  /// Loads a word so that no load behind this one is done before it.
  func load(_ index: Int) -> UInt64
  /// Stores a word so that who sees it sees all stores before this one.
  func store(_ index: Int, _ value: UInt64)
  /// Wakes those who watch the head.
  func wake()
  /// Which file it is, whatever its name leads to by now.
  var identity: FileIdentity { get }
}

/// The words of a mapped head, or what a test has put in their place. Looking which of the two it is costs nothing beside the
/// load.
///
/// Every index is checked, so the pointer is never used outside of the map.
@safe enum HeadWords: @unchecked Sendable {
  case mapped(UnsafeMutablePointer<Atomic<UInt64>>)
  case other(any HeadMemory)

  func load(_ index: Int) -> UInt64 {
    switch self {
    case .mapped(let start): unsafe start[checked(index)].load(ordering: .relaxed)
    case .other(let memory): memory.load(checked(index))
    }
  }

  /// Loads a number so that no load behind this one is done before it.
  func acquire(_ index: Int) -> UInt64 {
    switch self {
    case .mapped(let start): unsafe start[checked(index)].load(ordering: .acquiring)
    case .other(let memory): memory.load(checked(index))
    }
  }

  func store(_ index: Int, _ value: UInt64) {
    switch self {
    case .mapped(let start): unsafe start[checked(index)].store(value, ordering: .relaxed)
    case .other(let memory): memory.store(checked(index), value)
    }
  }

  /// Stores a number so that who sees it sees all stores before this one.
  func release(_ index: Int, _ value: UInt64) {
    switch self {
    case .mapped(let start): unsafe start[checked(index)].store(value, ordering: .releasing)
    case .other(let memory): memory.store(checked(index), value)
    }
  }

  private func checked(_ index: Int) -> Int {
    precondition(0..<JournalHead.size / 8 ~= index, "no such word")
    return index
  }
}
