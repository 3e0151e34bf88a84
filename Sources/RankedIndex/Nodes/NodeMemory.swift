/// Where the nodes lie that a transaction has met: a lookup in LMDB costs 100 to 300 ns, this one 2.
///
/// A read transaction remembers LMDB's own memory, which does not move: inner nodes, and the last few leaves, because a
/// count has two ends and what is counted is often read next. In a write transaction any change by anybody can move it,
/// so that it keeps copies, of inner nodes alone. One slot a node, the latest wins.
///
/// Most reads meet a handful of nodes: their memory starts small, and grows once with a read that goes on.
final class NodeMemory {
  private struct Slot {
    var number: UInt64
    var base: UnsafeRawPointer?
    var count: Int
  }

  private struct Slots {
    /// Those of leaves come first.
    var base: UnsafeMutablePointer<Slot>
    /// Those of inner nodes.
    var count: Int
    /// Nodes that may still come before the slots become more.
    var untilGrowth: Int
  }

  private static let leaves = 8
  private static let size = 512
  private static let sizeOfSmallRead = 32
  /// Each node is looked for here: no use of it lasts while other code runs.
  @exclusivity(unchecked) private var slots: Slots
  private let owned: Bool

  init(owned: Bool) {
    self.owned = owned
    slots = Self.slots(owned ? Self.size : Self.sizeOfSmallRead)
  }

  deinit {
    if owned {
      for index in 0..<slots.count + Self.leaves { slots.base[index].base?.deallocate() }
    }
    slots.base.deallocate()
  }

  private static func slots(_ count: Int) -> Slots {
    let base = UnsafeMutablePointer<Slot>.allocate(capacity: count + leaves)
    base.initialize(repeating: Slot(number: 0, base: nil, count: 0), count: count + leaves)
    return Slots(base: base, count: count, untilGrowth: count < size ? count : .max)
  }

  @inline(__always)
  private func slot(_ number: UInt64) -> UnsafeMutablePointer<Slot> {
    number < NodeStore.firstLeaf
      ? slots.base
        + (Self.leaves &+ Int(truncatingIfNeeded: number & UInt64(slots.count &- 1)))
      : slots.base + Int(truncatingIfNeeded: number & UInt64(Self.leaves &- 1))
  }

  @inline(__always)
  func find(_ number: UInt64) -> NodePage? {
    let slot = slot(number)
    guard slot.pointee.number == number, let base = slot.pointee.base else { return nil }
    return NodePage(base: base, count: slot.pointee.count)
  }

  /// Remembers a node, if it may, and returns where it lies from now on.
  func insert(_ number: UInt64, _ page: NodePage) -> NodePage {
    var page = page
    if number >= NodeStore.firstLeaf {
      if owned { return page }
    } else {
      slots.untilGrowth &-= 1
      if slots.untilGrowth == 0 { grow() }
    }
    if owned {
      remove(slot(number).pointee.number)
      let copy = UnsafeMutableRawPointer.allocate(byteCount: page.count, alignment: 16)
      copy.copyMemory(from: page.base, byteCount: page.count)
      page = NodePage(base: UnsafeRawPointer(copy), count: page.count)
    }
    slot(number).pointee = Slot(number: number, base: page.base, count: page.count)
    return page
  }

  /// Takes the slots of a long read; only a read's memory, which owns nothing, grows.
  private func grow() {
    let small = slots
    slots = Self.slots(Self.size)
    for index in 0..<small.count + Self.leaves where small.base[index].base != nil {
      slot(small.base[index].number).pointee = small.base[index]
    }
    small.base.deallocate()
  }

  /// Forgets a node, which is about to change.
  func remove(_ number: UInt64) {
    let slot = slot(number)
    guard slot.pointee.number == number else { return }
    if owned { slot.pointee.base?.deallocate() }
    slot.pointee = Slot(number: 0, base: nil, count: 0)
  }
}
