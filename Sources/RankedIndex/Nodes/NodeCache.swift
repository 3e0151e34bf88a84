import SatchelBytes
import Synchronization

/// The nodes of an environment that were found undamaged, shared by all its transactions.
///
/// A node is identified by its number and the commit that wrote it. The bytes of such a pair never change, so that
/// one verification is enough for as long as the process runs. The cache is lossy (one slot per pair, the latest
/// wins) and needs no lock; a lost pair only costs another hash of 4 KiB. A write transaction does not insert its own
/// nodes: it may be abandoned, and its sequence used again.
///
/// It is safe to use: only `init` and `deinit` change the address of the slots, and every index is masked to their number.
@safe package final class NodeCache: Sendable {
  nonisolated(unsafe) private let slots: UnsafeMutablePointer<Atomic<UInt64>>
  private let mask: UInt64

  /// Creates a cache. `capacity` is rounded up to a power of two; each slot takes 8 bytes.
  package init(capacity: Int = 1 << 16) {
    var size = 64
    while size < capacity { size <<= 1 }
    mask = UInt64(size - 1)
    unsafe slots = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: size)
    for index in 0..<size { unsafe (slots + index).initialize(to: Atomic(0)) }
  }

  deinit {
    unsafe slots.deinitialize(count: Int(mask) + 1)
    unsafe slots.deallocate()
  }

  @inline(__always)
  func holds(_ number: UInt64, _ sequence: UInt64) -> Bool {
    let tag = Self.tag(number, sequence)
    return unsafe slots[Int(truncatingIfNeeded: tag & mask)].load(ordering: .relaxed) == tag
  }

  @inline(__always)
  func insert(_ number: UInt64, _ sequence: UInt64) {
    let tag = Self.tag(number, sequence)
    unsafe slots[Int(truncatingIfNeeded: tag & mask)].store(tag, ordering: .relaxed)
  }

  /// Removes all nodes, for a check that must read every byte again.
  package func removeAll() {
    for index in 0...Int(mask) { unsafe slots[index].store(0, ordering: .relaxed) }
  }

  /// Returns the tag of a pair. It is never 0, which marks an empty slot.
  @inline(__always)
  private static func tag(_ number: UInt64, _ sequence: UInt64) -> UInt64 {
    Checksum.mix(number ^ 0x9E37_79B9_7F4A_7C15, sequence ^ 0xD1B5_4A32_D192_ED03) | 1 << 63
  }
}
