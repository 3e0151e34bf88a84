/// The addresses of nodes that a transaction has read. A lookup here takes 2 ns, one in LMDB 100 to 300 ns.
///
/// A read transaction remembers addresses in LMDB's own memory, which does not move. It remembers inner nodes and the
/// last few leaves, because a count has two ends and the counted entries are often read next. In a write transaction
/// any change, by whatever code, can move LMDB's memory, so that copies are kept, of inner nodes only. A node has one
/// slot, which it may share with others; the latest node wins.
///
/// Most reads use only a handful of nodes. The memory of a read therefore starts small, and grows once if the read
/// goes on.
final class NodeMemory {
  /// A node that was read, or an empty slot. Its address is read only after its number was compared.
  @safe private struct Slot {
    var number: UInt64
    var base: UnsafeRawPointer?
    var count: Int
  }

  /// The memory of the slots, which the node memory allocates, initialises and frees.
  @safe private struct Slots {
    /// All slots; the slots of leaves come first.
    var base: UnsafeMutablePointer<Slot>
    /// The number of slots of inner nodes.
    var count: Int
    /// The number of inner nodes that may still be inserted before the memory grows.
    var untilGrowth: Int
  }

  private static let leaves = 8
  private static let size = 512
  private static let sizeOfSmallRead = 32
  /// Unchecked because every look-up of a node uses it; no access lasts while other code runs.
  @safe @exclusivity(unchecked) private var slots: Slots
  private let owned: Bool

  init(owned: Bool) {
    self.owned = owned
    slots = Self.slots(owned ? Self.size : Self.sizeOfSmallRead)
  }

  deinit {
    if owned {
      for index in 0..<slots.count + Self.leaves { unsafe slots.base[index].base?.deallocate() }
    }
    unsafe slots.base.deallocate()
  }

  private static func slots(_ count: Int) -> Slots {
    let base = UnsafeMutablePointer<Slot>.allocate(capacity: count + leaves)
    unsafe base.initialize(repeating: Slot(number: 0, base: nil, count: 0), count: count + leaves)
    return unsafe Slots(base: base, count: count, untilGrowth: count < size ? count : .max)
  }

  @inline(__always)
  private func slot(_ number: UInt64) -> UnsafeMutablePointer<Slot> {
    unsafe number < NodeStore.firstLeaf
      ? slots.base
        + (Self.leaves &+ Int(truncatingIfNeeded: number & UInt64(slots.count &- 1)))
      : slots.base + Int(truncatingIfNeeded: number & UInt64(Self.leaves &- 1))
  }

  @inline(__always)
  func find(_ number: UInt64) -> NodePage? {
    let slot = unsafe slot(number)
    guard unsafe slot.pointee.number == number, let base = unsafe slot.pointee.base else { return nil }
    return unsafe NodePage(base: base, count: slot.pointee.count)
  }

  /// Remembers a node, except a leaf of a write transaction. Returns the address at which it can be read from now on.
  func insert(_ number: UInt64, _ page: NodePage) -> NodePage {
    var page = page
    if number >= NodeStore.firstLeaf {
      if owned { return page }
    } else {
      slots.untilGrowth &-= 1
      if slots.untilGrowth == 0 { grow() }
    }
    if owned {
      unsafe remove(slot(number).pointee.number)
      let copy = UnsafeMutableRawPointer.allocate(byteCount: page.count, alignment: 16)
      unsafe copy.copyMemory(from: page.base, byteCount: page.count)
      page = unsafe NodePage(base: UnsafeRawPointer(copy), count: page.count)
    }
    unsafe slot(number).pointee = Slot(number: number, base: page.base, count: page.count)
    return page
  }

  /// Replaces the slots by those of a long read. Only the memory of a read grows, which owns no copies.
  private func grow() {
    let small = slots
    slots = Self.slots(Self.size)
    for index in 0..<small.count + Self.leaves where unsafe small.base[index].base != nil {
      unsafe slot(small.base[index].number).pointee = small.base[index]
    }
    unsafe small.base.deallocate()
  }

  /// Forgets a node that is about to change.
  func remove(_ number: UInt64) {
    let slot = unsafe slot(number)
    guard unsafe slot.pointee.number == number else { return }
    if owned { unsafe slot.pointee.base?.deallocate() }
    unsafe slot.pointee = Slot(number: 0, base: nil, count: 0)
  }
}
