internal import CLMDB

/// Asks the processor to load the page after the one that a scan reads, as long as the scan reads the pages in the
/// order of the file. The processor's own prefetching ends at each page boundary.
package struct PagePrefetch {
  private var page: UInt = 0
  private var isSequential = false

  package init() {}

  /// Call this with each value of the scan, in the order of the scan.
  @inline(__always)
  package mutating func willRead(_ value: UnsafeRawBufferPointer) {
    guard let start = value.baseAddress else { return }
    let here = UInt(bitPattern: start) / Self.pageBytes
    if here != page {
      isSequential = here == page &+ 1
      page = here
    }
    guard isSequential else { return }
    // The bytes at the same offset of the next page. An address that is not mapped does no harm.
    unsafe satchel_prefetch(start, Int(Self.pageBytes), value.count)
  }

  private static var pageBytes: UInt { 4096 }
}
