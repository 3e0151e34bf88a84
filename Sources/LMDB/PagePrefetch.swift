internal import CLMDB

/// Asks the processor for the page behind the one that a scan is in, while the pages follow one another in the file: its own
/// guesses end with each page.
package struct PagePrefetch {
  private var page: UInt = 0
  private var isSequential = false

  package init() {}

  /// To be called with each value of the scan, in its order.
  @inline(__always)
  package mutating func willRead(_ value: UnsafeRawBufferPointer) {
    guard let start = value.baseAddress else { return }
    let here = UInt(bitPattern: start) / Self.pageBytes
    if here != page {
      isSequential = here == page &+ 1
      page = here
    }
    guard isSequential else { return }
    // The record in the same place of the next page. An address where nothing is does no harm.
    satchel_prefetch(start, Int(Self.pageBytes), value.count)
  }

  private static var pageBytes: UInt { 4096 }
}
