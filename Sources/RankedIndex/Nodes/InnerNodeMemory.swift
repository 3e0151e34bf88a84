/// Where the inner nodes lie that a transaction has met: a lookup in LMDB costs 100 to 300 ns, this one 2.
///
/// A read transaction remembers LMDB's own memory, which does not move. In a write transaction any change by
/// anybody can move it, so that it keeps copies. One slot a node, the latest wins.
final class InnerNodeMemory {
  private struct Slot {
    var number: UInt64
    var base: UnsafeRawPointer?
    var count: Int
  }

  private static let size = 512
  private let slots: UnsafeMutablePointer<Slot>
  private let owned: Bool

  init(owned: Bool) {
    self.owned = owned
    slots = .allocate(capacity: Self.size)
    slots.initialize(repeating: Slot(number: 0, base: nil, count: 0), count: Self.size)
  }

  deinit {
    if owned {
      for index in 0..<Self.size { slots[index].base?.deallocate() }
    }
    slots.deallocate()
  }

  @inline(__always)
  private func slot(_ number: UInt64) -> UnsafeMutablePointer<Slot> {
    slots + Int(truncatingIfNeeded: number & UInt64(Self.size - 1))
  }

  @inline(__always)
  func find(_ number: UInt64) -> NodePage? {
    let slot = slot(number)
    guard slot.pointee.number == number, let base = slot.pointee.base else { return nil }
    return NodePage(base: base, count: slot.pointee.count)
  }

  /// Remembers a node and returns where it lies from now on.
  func insert(_ number: UInt64, _ page: NodePage) -> NodePage {
    remove(slot(number).pointee.number)
    var page = page
    if owned {
      let copy = UnsafeMutableRawPointer.allocate(byteCount: page.count, alignment: 16)
      copy.copyMemory(from: page.base, byteCount: page.count)
      page = NodePage(base: UnsafeRawPointer(copy), count: page.count)
    }
    slot(number).pointee = Slot(number: number, base: page.base, count: page.count)
    return page
  }

  /// Forgets a node, which is about to change.
  func remove(_ number: UInt64) {
    let slot = slot(number)
    guard slot.pointee.number == number else { return }
    if owned { slot.pointee.base?.deallocate() }
    slot.pointee = Slot(number: 0, base: nil, count: 0)
  }
}
