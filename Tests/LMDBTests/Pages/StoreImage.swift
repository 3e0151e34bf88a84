import LMDB
import LMDBScenes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The bytes of a closed store, to be damaged. It reads them as a sound store's.
struct StoreImage {
  static let pageSize = 4096
  private(set) var bytes: [UInt8]

  init(_ scratch: Scratch) { bytes = contents(of: scratch.data) }

  func save(_ scratch: Scratch) {
    mkdir(scratch.store, 0o700)
    write(bytes, to: scratch.data)
  }

  /// A number in the file.
  subscript<T: FixedWidthInteger & BitwiseCopyable>(offset: Int, type: T.Type) -> T {
    get { bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) } }
    set { bytes.withUnsafeMutableBytes { $0.storeBytes(of: newValue, toByteOffset: offset, as: type) } }
  }

  mutating func flip(bit: Int, at offset: Int) { bytes[offset + bit / 8] ^= 1 << UInt8(bit % 8) }

  mutating func swapPages(_ a: Int, _ b: Int, keepingNumbers: Bool = false) {
    let skip = keepingNumbers ? 8 : 0
    for index in skip..<Self.pageSize { bytes.swapAt(a * Self.pageSize + index, b * Self.pageSize + index) }
  }

  /// Where the newer meta page begins.
  var meta: Int { self[144, UInt64.self] > self[4096 + 144, UInt64.self] ? 0 : 4096 }
  var lastPage: Int { Int(self[meta + 136, UInt64.self]) }

  /// The record of a tree: where it lies.
  struct Tree {
    let record: Int
    var flags: Int { record + 4 }
    var depth: Int { record + 6 }
    var branchPages: Int { record + 8 }
    var leafPages: Int { record + 16 }
    var overflowPages: Int { record + 24 }
    var entries: Int { record + 32 }
    var root: Int { record + 40 }
  }

  var freeTree: Tree { Tree(record: meta + 40) }
  var mainTree: Tree { Tree(record: meta + 88) }

  func tree(_ name: String) -> Tree {
    for leaf in leaves(mainTree) {
      for node in nodes(leaf) where Array(bytes[node.key]) == Array(name.utf8) {
        return Tree(record: node.value)
      }
    }
    preconditionFailure("no database \(name)")
  }

  /// A node of a page, by its offsets in the file.
  struct Node {
    let slot: Int
    let start: Int
    let key: Range<Int>
    let flags: Int
    /// Bytes of the value; of a branch page the low half of the child's number.
    let word: Int
    var value: Int { key.upperBound }
    var isOverflow: Bool { flags & 1 != 0 }
  }

  func nodes(_ page: Int) -> [Node] {
    let start = page * Self.pageSize
    return (0..<(Int(self[start + 12, UInt16.self]) - 16) / 2).map { index in
      let slot = start + 16 + 2 * index
      let node = start + Int(self[slot, UInt16.self])
      let keyStart = node + 8
      return Node(
        slot: slot, start: node, key: keyStart..<keyStart + Int(self[node + 6, UInt16.self]),
        flags: Int(self[node + 4, UInt16.self]), word: Int(self[node, UInt32.self]))
    }
  }

  /// The pages of a tree, level by level from the root.
  func levels(_ tree: Tree) -> [[Int]] {
    let depth = Int(self[tree.depth, UInt16.self])
    guard depth > 0 else { return [] }
    var levels = [[Int(self[tree.root, UInt64.self])]]
    while levels.count < depth {
      levels.append(levels[levels.count - 1].flatMap { page in nodes(page).map { $0.word | $0.flags << 32 } })
    }
    return levels
  }

  func leaves(_ tree: Tree) -> [Int] { levels(tree).last ?? [] }
  func branches(_ tree: Tree) -> [Int] { levels(tree).dropLast().flatMap(\.self) }

  /// The first pages of the values that lie in pages of their own.
  func overflows(_ tree: Tree) -> [Int] {
    leaves(tree).flatMap { nodes($0) }.filter(\.isOverflow).map { Int(self[$0.value, UInt64.self]) }
  }

  /// The records of the free list: where the count lies, the numbers following it.
  func freeRecords() -> [(key: Int, count: Int, numbers: Range<Int>)] {
    leaves(freeTree).flatMap { nodes($0) }.map { node in
      let start = node.isOverflow ? Int(self[node.value, UInt64.self]) * Self.pageSize + 16 : node.value
      let count = Int(self[start, UInt64.self])
      return (node.key.lowerBound, start, start + 8..<start + 8 + 8 * count)
    }
  }

  /// Where each number of the free list lies.
  func freeNumbers() -> [Int] {
    freeRecords().flatMap { stride(from: $0.numbers.lowerBound, to: $0.numbers.upperBound, by: 8) }
  }
}
