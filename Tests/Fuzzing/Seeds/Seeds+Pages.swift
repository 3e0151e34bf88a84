extension FuzzTarget {
  /// Pages of both sizes: a leaf, a branch and an overflow page.
  static var pageSeeds: [[UInt8]] {
    [0, 1, 2].flatMap { (selector: UInt8) -> [[UInt8]] in
      let size = selector & 1 == 0 ? 256 : 4096
      let isNumeric = selector & 2 != 0
      func key(_ index: UInt8) -> [UInt8] {
        isNumeric ? [index, 0, 0, 0, 0, 0, 0, 0] : Array("key".utf8) + [index]
      }
      let values = (1..<6).map { index in
        node(size: 5, flags: 0, key: key(index), data: Array("value".utf8))
      }
      let tree = node(size: 48, flags: 2, key: key(7), data: [UInt8](repeating: 0, count: 40) + little(9, 8))
      let overflow = node(size: 700, flags: 1, key: key(8), data: little(9, 8))
      let children = (1..<5).map { index in
        little(UInt64(index) + 5, 4) + [0, 0] + little(index == 1 ? 0 : UInt64(key(index).count), 2)
          + (index == 1 ? [] : key(index))
      }
      return [
        page(size, flags: 2, values + [tree, overflow]), page(size, flags: 1, children),
        little(5, 8) + [0, 0, 4, 0] + little(2, 4),
      ].map { [selector] + $0 }
    }
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private static func node(size: UInt64, flags: UInt64, key: [UInt8], data: [UInt8]) -> [UInt8] {
    little(size, 4) + little(flags, 2) + little(UInt64(key.count), 2) + key + data
  }

  /// A page of the number 5 with these nodes, the last one first in the page, as LMDB lays them.
  private static func page(_ size: Int, flags: UInt64, _ nodes: [[UInt8]]) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: size)
    var upper = size
    for (index, node) in nodes.enumerated() {
      upper -= node.count + node.count & 1
      page.replaceSubrange(upper..<upper + node.count, with: node)
      page.replaceSubrange(16 + 2 * index..<18 + 2 * index, with: little(UInt64(upper), 2))
    }
    let head = little(5, 8) + [0, 0] + little(flags, 2)
    page.replaceSubrange(
      0..<16, with: head + little(UInt64(16 + 2 * nodes.count), 2) + little(UInt64(upper), 2))
    return page
  }
}
