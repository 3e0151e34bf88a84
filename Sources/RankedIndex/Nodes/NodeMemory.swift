/// The addresses of nodes that a transaction has read. A lookup here takes 2 ns, one in LMDB 100 to 300 ns.
///
/// A transaction remembers addresses in LMDB's own memory, which does not move as long as the transaction changes nothing. It
/// remembers inner nodes and the last few leaves, because a count has two ends and the counted entries are often read next.
/// From the first change on any other, by whatever code, can move LMDB's memory, so that copies are kept, of inner nodes only.
/// A node has one slot, which it may share with others; the latest node wins.
///
/// Most transactions use only a handful of nodes. The memory therefore starts small, and grows once if the transaction goes on.
final class NodeMemory {
  /// A node that was read, or an empty slot. Its address is read only after its number was compared.
  @safe private struct Slot {
    var number: UInt64 = 0
    var base: UnsafeRawPointer?
    var count: Int32 = 0
    /// Whether the address is that of a copy, which the slot frees.
    var isOwned = false
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
  private static let sizeAtFirst = 32
  /// Unchecked because every look-up of a node uses it; no access lasts while other code runs.
  @safe @exclusivity(unchecked) private var slots: Slots

  init() { slots = Self.slots(Self.sizeAtFirst) }

  deinit {
    for index in 0..<slots.count + Self.leaves {
      if unsafe slots.base[index].isOwned { unsafe slots.base[index].base?.deallocate() }
    }
    unsafe slots.base.deallocate()
  }

  private static func slots(_ count: Int) -> Slots {
    let base = UnsafeMutablePointer<Slot>.allocate(capacity: count + leaves)
    unsafe base.initialize(repeating: Slot(), count: count + leaves)
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
    return unsafe NodePage(base: base, count: Int(slot.pointee.count))
  }

  /// Remembers a node. Returns the address at which it can be read from now on.
  /// - Parameter isStable: Whether the node stays where it is until the end of the transaction. If not, a copy is kept of an
  ///   inner node, and nothing of a leaf.
  func insert(_ number: UInt64, _ page: NodePage, isStable: Bool) -> NodePage {
    var page = page
    if number >= NodeStore.firstLeaf {
      if !isStable { return page }
    } else {
      slots.untilGrowth &-= 1
      if slots.untilGrowth == 0 { grow() }
    }
    unsafe empty(slot(number))
    if !isStable {
      let copy = UnsafeMutableRawPointer.allocate(byteCount: page.count, alignment: 16)
      unsafe copy.copyMemory(from: page.base, byteCount: page.count)
      page = unsafe NodePage(base: UnsafeRawPointer(copy), count: page.count)
    }
    unsafe slot(number).pointee = Slot(
      number: number, base: page.base, count: Int32(truncatingIfNeeded: page.count), isOwned: !isStable)
    return page
  }

  /// Replaces the slots by those of a long transaction.
  private func grow() {
    let small = slots
    slots = Self.slots(Self.size)
    for index in 0..<small.count + Self.leaves where unsafe small.base[index].base != nil {
      // In more slots none is wanted twice.
      unsafe slot(small.base[index].number).pointee = small.base[index]
    }
    unsafe small.base.deallocate()
  }

  /// Forgets a node that is about to change.
  func remove(_ number: UInt64) {
    let slot = unsafe slot(number)
    if unsafe slot.pointee.number == number { unsafe empty(slot) }
  }

  @inline(__always)
  private func empty(_ slot: UnsafeMutablePointer<Slot>) {
    if unsafe slot.pointee.isOwned { unsafe slot.pointee.base?.deallocate() }
    unsafe slot.pointee = Slot()
  }
}
