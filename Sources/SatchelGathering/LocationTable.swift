/// Where the messages of an import lie, by the hashes of their identifiers: 16 bytes for each, and as many of slack.
///
/// The standard library's dictionary would hash the hash again, and needs more memory.
struct LocationTable {
  private struct Slot {
    var hash: UInt64 = 0
    var location = UInt64.max
  }

  private var slots = [Slot](repeating: Slot(), count: 1 << 10)
  private var count = 0
  /// Spreads hashes over slots in a way that nobody knows who makes up identifiers.
  private let multiplier = UInt64.random(in: .min ... .max) | 1

  /// Adds a location, which is not `UInt64.max`.
  mutating func insert(_ location: UInt64, hash: UInt64) {
    precondition(location != .max)
    if count * 8 >= slots.count * 5 { grow() }
    count += 1
    place(Slot(hash: hash, location: location))
  }

  /// Returns the locations of a hash, of which there is mostly none.
  func locations(of hash: UInt64) -> [UInt64] {
    var found: [UInt64] = []
    var index = first(hash)
    while slots[index].location != .max {
      if slots[index].hash == hash { found.append(slots[index].location) }
      index = (index &+ 1) & (slots.count &- 1)
    }
    return found
  }

  @inline(__always)
  private func first(_ hash: UInt64) -> Int {
    Int((hash &* multiplier) >> UInt64(64 - slots.count.trailingZeroBitCount))
  }

  private mutating func place(_ slot: Slot) {
    var index = first(slot.hash)
    while slots[index].location != .max { index = (index &+ 1) & (slots.count &- 1) }
    slots[index] = slot
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: 2 * old.count)
    for slot in old where slot.location != .max { place(slot) }
  }
}
