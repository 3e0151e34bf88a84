package import StoreFiles

/// One of the two meta pages (root pages) of an LMDB file, decoded from its bytes.
///
/// LMDB trusts them: a file shorter than they say causes a SIGBUS, a page size of 0 a SIGFPE. So they are read here
/// first, and everything that LMDB would rely on is checked. The layout is that of LMDB 0.9 with 64-bit sizes, in the
/// machine's byte order.
package struct MetaPage: Equatable, Sendable {
  /// Bytes of a meta page that have a meaning.
  package static let length = 152
  /// The largest page size of LMDB, in bytes.
  package static let maximumPageSize = 32768

  package let pageSize: Int
  package let mapSize: UInt64
  package let freeTree: Tree
  package let mainTree: Tree
  /// Number of the last page in use.
  package let lastPage: UInt64
  /// The transaction that wrote this meta page.
  package let transaction: UInt64

  /// The root of a tree as a meta page holds it.
  package struct Tree: Equatable, Sendable {
    package let flags: UInt16
    package let depth: Int
    /// Number of the root page; all ones in an empty tree.
    package let root: UInt64

    package static let noRoot = UInt64.max
    /// The depth of the stack with which LMDB walks a tree.
    package static let maximumDepth = 32
  }

  /// Why bytes are not a meta page.
  package struct Flaw: Error, Equatable {
    package let code: LMDBError.Code
    package let text: String

    package init(_ text: String, code: LMDBError.Code = .invalid) {
      self.code = code
      self.text = text
    }

    package init(_ text: String, systemError: Int32) {
      self.init(text, code: systemError == 0 ? .invalid : .io(systemError))
    }

    /// The code of an error about a file that has been a store so far: what is not as it was is damaged.
    package var codeInStore: LMDBError.Code { code == .invalid ? .corrupted : code }
  }

  /// Decodes the first `length` bytes. Any bytes are allowed.
  /// - Throws: What is wrong with the page itself.
  package init(_ bytes: RawSpan) throws(Flaw) {
    guard bytes.byteCount >= Self.length else { throw Flaw("the file ends inside its first pages") }
    let magic = bytes.number(at: 16, as: UInt32.self)
    guard magic == Self.magic else {
      let other = magic.byteSwapped == Self.magic
      throw Flaw(other ? "it was written on a machine of the other byte order" : "it has no LMDB signature")
    }
    guard bytes.number(at: 10, as: UInt16.self) & Self.metaPageFlag != 0 else {
      throw Flaw("its first pages are not marked as meta pages")
    }
    let version = bytes.number(at: 20, as: UInt32.self)
    guard version == Self.version else {
      throw Flaw("data format \(version), not \(Self.version)", code: .versionMismatch)
    }
    let pageSize = bytes.number(at: 40, as: UInt32.self)
    guard pageSize >= 512, pageSize <= Self.maximumPageSize, pageSize & (pageSize - 1) == 0 else {
      throw Flaw("page size \(pageSize)")
    }
    self.pageSize = Int(pageSize)
    mapSize = bytes.number(at: 32, as: UInt64.self)
    lastPage = bytes.number(at: 136, as: UInt64.self)
    transaction = bytes.number(at: 144, as: UInt64.self)
    guard lastPage >= 1, lastPage < UInt64(1 << 47) / UInt64(pageSize) else {
      throw Flaw("last page \(lastPage)")
    }
    guard mapSize < 1 << 47 else { throw Flaw("map size \(mapSize)") }
    freeTree = Self.tree(bytes, at: 40)
    mainTree = Self.tree(bytes, at: 88)
  }

  /// Checks what LMDB relies on in the meta page that it uses, the newer one.
  ///
  /// In a sound store the older one may be wrong: after a failed write of a meta page LMDB restores the page's last
  /// page number and transaction number, but not its trees.
  package func checkTrees() throws(Flaw) {
    try check(freeTree, "free list")
    try check(mainTree, "main table")
    // The low bits are the free list's flags. FIXEDMAP would let the file choose an address in this process.
    guard freeTree.flags & Self.fixedMap == 0, freeTree.flags & Self.integerKey != 0 else {
      throw Flaw("flags \(freeTree.flags)")
    }
    guard mainTree.flags == 0 else { throw Flaw("flags \(mainTree.flags) of the main table") }
  }

  private func check(_ tree: Tree, _ name: String) throws(Flaw) {
    if tree.root == Tree.noRoot {
      guard tree.depth == 0 else { throw Flaw("the \(name) has depth \(tree.depth) and no root") }
    } else {
      guard tree.root > 1, tree.root <= lastPage else {
        throw Flaw("the \(name) is rooted at page \(tree.root)")
      }
      guard tree.depth >= 1, tree.depth < Tree.maximumDepth else {
        throw Flaw("the \(name) has depth \(tree.depth)")
      }
    }
  }

  private static func tree(_ bytes: RawSpan, at offset: Int) -> Tree {
    Tree(
      flags: bytes.number(at: offset + 4, as: UInt16.self),
      depth: Int(bytes.number(at: offset + 6, as: UInt16.self)),
      root: bytes.number(at: offset + 40, as: UInt64.self))
  }

  package static let magic: UInt32 = 0xbeef_c0de
  private static let version: UInt32 = 1
  private static let metaPageFlag: UInt16 = 0x08
  private static let fixedMap: UInt16 = 0x01
  private static let integerKey: UInt16 = 0x08
}

extension RawSpan {
  /// The number at an offset, in the machine's byte order. Traps if it does not lie inside the span.
  @inline(__always)
  package func number<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
    precondition(offset >= 0 && offset <= byteCount - MemoryLayout<T>.size)
    return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type)
  }
}
