/// What an audit has found in one tree.
struct TreeWalk {
  enum Kind: Equatable {
    case free
    case main
    case database([UInt8])
  }

  let record: TreeRecord
  let kind: Kind
  /// Whether its leaves are read. If not, only their numbers are known.
  var readsLeaves = true
  var branchPages: UInt64 = 0
  var leafPages: UInt64 = 0
  var overflowPages: UInt64 = 0
  var entries: UInt64 = 0
  /// Values in overflow pages whose headers have not been read.
  var runs: [OverflowRun] = []

  init(_ record: TreeRecord, _ kind: Kind) {
    self.record = record
    self.kind = kind
  }

  var order: KeyOrder { kind == .free ? .numbers : .bytes }

  /// The name of the tree in a report.
  var name: String {
    switch kind {
    case .free: "free list"
    case .main: "main table"
    case .database(let name): "database \(String(decoding: name, as: UTF8.self))"
    }
  }
}

/// Consecutive overflow pages that hold one value.
package struct OverflowRun {
  package let first: UInt64
  package let pages: UInt64

  package init(first: UInt64, pages: UInt64) {
    self.first = first
    self.pages = pages
  }

  /// The pages that a value of `count` bytes takes, after the header of the first page.
  package init(first: UInt64, count: Int, pageSize: Int) {
    self.init(first: first, pages: UInt64((CheckedPage.header + count + pageSize - 1) / pageSize))
  }
}

/// The keys that a page may hold: from the separator on its left up to the separator on its right, which is excluded. A
/// bound is nil at an end of the tree.
///
/// It is safe to check pages with. To make one with bounds is unsafe: their bytes have to exist as long as it does.
@safe package struct PageBounds {
  package var low: UnsafeRawBufferPointer?
  package var high: UnsafeRawBufferPointer?

  package init() {}

  package init(low: UnsafeRawBufferPointer?, high: UnsafeRawBufferPointer?) {
    unsafe self.low = low
    unsafe self.high = high
  }

  /// Checks that the keys of a page lie within the bounds. The keys have to ascend already.
  package func check(_ page: CheckedPage, _ order: KeyOrder) throws(PageFault) {
    // The first key of a branch page has no meaning; it stands for the bound itself.
    let first = page.kind == .branch ? 1 : 0
    guard first < page.count else { return }
    let smallest = unsafe page.key(try page.node(first))
    if let low = unsafe low,
      unsafe order.ascends(smallest, low) || (page.kind == .branch && !order.ascends(low, smallest))
    {
      throw PageFault(page.number, .order)
    }
    let largest = unsafe page.key(try page.node(page.count - 1))
    if let high = unsafe high, unsafe !order.ascends(largest, high) { throw PageFault(page.number, .order) }
  }
}
