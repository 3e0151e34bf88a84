import LMDBPages

extension FuzzTarget {
  /// One page of LMDB's, of a size that the first byte chooses; what the input lacks is zero. Whoever walks a page that
  /// passes as a whole meets no fault on the way: LMDB itself would not.
  static let page = FuzzTarget("page", maximumBytes: 4097) { bytes in
    let size = (bytes.first ?? 0) & 1 == 0 ? 256 : 4096
    let order = (bytes.first ?? 0) & 2 == 0 ? KeyOrder.bytes : .numbers
    var image = [UInt8](bytes.dropFirst().prefix(size))
    image += repeatElement(0, count: size - image.count)
    return try withExactCopy(of: image) { image in
      let limit: UInt64 = 64
      guard let start = image.baseAddress,
        let page = try? CheckedPage(at: start, size: size, number: 5, limit: limit)
      else { return false }
      let isWhole = (try? page.checkWhole(order: order)) != nil
      do throws(PageFault) {
        try walk(page, limit: limit)
        return true
      } catch {
        guard isWhole else { return false }
        throw Violation("the page passes as a whole, and a walk over it meets \(error)")
      }
    }
  }

  /// Reads everything that a page says, and each byte of it.
  private static func walk(_ page: CheckedPage, limit: UInt64) throws(PageFault) {
    guard page.kind != .overflow else {
      _ = try page.overflowPages
      return
    }
    var sum = 0
    for index in 0..<page.count {
      let node = try page.node(index)
      sum &+= page.key(node).reduce(0) { $0 &+ Int($1) }
      if page.kind == .branch {
        _ = try page.child(node)
        continue
      }
      switch try page.value(node) {
      case .here(let value): sum &+= value.reduce(0) { $0 &+ Int($1) }
      case .tree(let value):
        if let record = try? TreeRecord(value, page: page.number, limit: limit), !record.isEmpty {
          sum &+= record.depth
        }
      case .overflow(_, let count): sum &+= count
      }
    }
    blackHole(sum)
  }
}

/// Keeps the optimiser from leaving out what a number was made from.
@inline(never)
func blackHole(_ value: Int) {}
