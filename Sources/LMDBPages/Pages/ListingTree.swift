/// A tree that is nothing but a list of pages: its branch pages name them in the place of leaves.
///
/// LMDB alone writes the free list, and puts all pages of a database there that it empties. It reads the leaves only to find overflow
/// pages: of a tree whose record counts none it reads the branch pages and the first leaf, which here is a page without an entry. So
/// pages get onto the free list whose bytes are damaged, and those that no page names any more.
package struct ListingTree {
  /// The pages that it lies on, one after another in the file.
  package let bytes: [UInt8]
  /// The bytes of its record.
  package let record: [UInt8]
  /// How many levels it has, with that of the pages that it lists.
  package let depth: Int

  /// - Parameter first: The number of the page that it begins on. It takes `pages(toList:_:)` of them.
  package init(of listed: PageSet, from first: UInt64, pageSize: Int) {
    var bytes: [UInt8] = []
    // The first leaf: its free space begins behind the header and ends with the page.
    Self.append(to: &bytes, first, flags: 2, lower: CheckedPage.header, upper: pageSize, pageSize)
    var children = [first] + listed.numbers
    var depth = 1
    repeat {
      children = Self.parents(of: children, &bytes, first, pageSize)
      depth += 1
    } while children.count > 1
    self.bytes = bytes
    self.depth = depth
    record = TreeRecord(depth: depth, root: children[0]).bytes
  }

  /// How many pages a list of so many takes.
  package static func pages(toList count: Int, _ pageSize: Int) -> Int {
    var (level, pages) = (count + 1, 1)
    repeat {
      level = branches(over: level, pageSize)
      pages += level
    } while level > 1
    return pages
  }

  /// Appends the branch pages over some pages, and returns their numbers.
  private static func parents(
    of children: [UInt64], _ bytes: inout [UInt8], _ first: UInt64, _ pageSize: Int
  ) -> [UInt64] {
    let count = branches(over: children.count, pageSize)
    var parents: [UInt64] = []
    for index in 0..<count {
      // About as many each: LMDB ends the process at a branch page with only one child.
      let part = children[children.count * index / count..<children.count * (index + 1) / count]
      let start = bytes.count
      let number = first + UInt64(start / pageSize)
      append(
        to: &bytes, number, flags: 1, lower: CheckedPage.header + 2 * part.count,
        upper: pageSize - node * part.count, pageSize)
      unsafe bytes.withUnsafeMutableBytes { bytes in
        for (slot, child) in part.enumerated() {
          let offset = pageSize - node * (slot + 1)
          unsafe bytes.storeBytes(
            of: UInt16(offset), toByteOffset: start + CheckedPage.header + 2 * slot, as: UInt16.self)
          // The number of the page, in 48 bits, and a key without bytes.
          unsafe bytes.storeBytes(of: child, toByteOffset: start + offset, as: UInt64.self)
        }
      }
      parents.append(number)
    }
    return parents
  }

  private static func append(
    to bytes: inout [UInt8], _ number: UInt64, flags: UInt16, lower: Int, upper: Int, _ pageSize: Int
  ) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: pageSize))
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: number, toByteOffset: start, as: UInt64.self)
      unsafe bytes.storeBytes(of: flags, toByteOffset: start + 10, as: UInt16.self)
      unsafe bytes.storeBytes(of: UInt16(lower), toByteOffset: start + 12, as: UInt16.self)
      unsafe bytes.storeBytes(of: UInt16(upper), toByteOffset: start + 14, as: UInt16.self)
    }
  }

  private static func branches(over children: Int, _ pageSize: Int) -> Int {
    let most = (pageSize - CheckedPage.header) / (node + 2)
    return (children + most - 1) / most
  }

  /// Bytes of a node, which has no key.
  private static var node: Int { CheckedPage.Node.header }
}
