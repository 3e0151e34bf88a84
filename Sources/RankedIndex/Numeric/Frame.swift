internal import RankedKeys
import SatchelBytes

/// The layout of the columns of a numeric node: frame of reference, with one minimum and one byte width per column.
///
/// After the node header (`NodeHeader`), for `c` columns (in a leaf the key and payload columns, in an inner node the
/// key columns of the separators):
///
///     offset   | size | numbers little-endian
///     32       | 2    | rows n, at least 1
///     34       | 2    | bytes of a row w
///     36       | 1    | c
///     37       | 1    | bytes of a child's number in a row (inner nodes), else 0
///     38       | 1    | bytes of the entries before a child in a row (inner nodes), else 0
///     39       | 1    | 0
///     40       | 8 c  | the least value of each column
///     40 + 8 c | c    | the bytes of each column, 0 to 8: what its greatest value less its least needs
///     40 + 9 c | 8    | the least child number (inner nodes only)
///              | n w  | rows: each column's value less the least, big-endian; then child and entries before it
///              | 16   | zeros
///
/// Rows are in key order. They compare like their bytes, so that a search compares the words at their starts. The
/// separator of an inner node's row is not above any key of its child, and above all keys of the children before. The
/// separator of the first row is only a placeholder. "Entries before" counts within the node, so that a rank takes
/// one load per level.
struct Frame {
  let rows: Int
  let rowWidth: Int
  let rowsAt: Int
  let columns: Int
  /// The width of column `i` in byte `i`.
  let widths: UInt64
  /// The offset of column `i` in a row in byte `i`.
  let offsets: UInt64
  let childWidth: Int
  let beforeWidth: Int

  static let fixedBytes = 40

  /// A frame without rows, for a cursor that has not entered a leaf.
  static var none: Frame { Frame() }

  private init() {
    rows = 0
    rowWidth = 0
    rowsAt = 0
    columns = 0
    widths = 0
    offsets = 0
    childWidth = 0
    beforeWidth = 0
  }

  /// Returns the number of bytes of a node before its rows.
  static func headerBytes(columns: Int, isLeaf: Bool) -> Int {
    fixedBytes + 9 * columns + (isLeaf ? 0 : 8)
  }

  /// Reads the frame of a node. Returns nil unless everything that it describes lies within the node, so that no
  /// later load can be outside.
  @inline(__always)
  init?(_ bytes: RawSpan, columns: Int, isLeaf: Bool) {
    let count = bytes.byteCount
    let headerBytes = Self.headerBytes(columns: columns, isLeaf: isLeaf)
    guard count >= headerBytes &+ NodeHeader.spare else { return nil }
    let fixed = bytes.u64(NodeHeader.byteCount)
    rows = Int(fixed & 0xFFFF)
    rowWidth = Int(fixed >> 16 & 0xFFFF)
    childWidth = Int(fixed >> 40 & 0xFF)
    beforeWidth = Int(fixed >> 48 & 0xFF)
    self.columns = columns
    rowsAt = headerBytes
    let mask = UInt64.max >> UInt64(64 &- 8 &* columns)
    widths = bytes.u64(Self.fixedBytes &+ 8 &* columns) & mask
    offsets = widths &* 0x0101_0101_0101_0100
    let total = Int((widths &* 0x0101_0101_0101_0101) &>> 56) &+ childWidth &+ beforeWidth
    // Adding 0x77 sets the top bit of a byte if the width in it is above 8.
    let tooWide = (widths | (widths &+ 0x7777_7777_7777_7777)) & 0x8080_8080_8080_8080
    guard fixed >> 32 & 0xFF == UInt64(columns), fixed >> 56 == 0, tooWide == 0, total == rowWidth,
      rows > 0, childWidth <= 8, beforeWidth <= 8, !isLeaf || childWidth | beforeWidth == 0,
      headerBytes &+ rows &* rowWidth &+ NodeHeader.spare <= count
    else { return nil }
  }

  @inline(__always)
  func width(_ column: Int) -> Int { Int(widths &>> UInt64(8 &* column) & 0xFF) }

  @inline(__always)
  func offset(_ column: Int) -> Int { Int(offsets &>> UInt64(8 &* column) & 0xFF) }

  /// Returns the width in bytes of the first `count` columns of a row.
  @inline(__always)
  func prefixWidth(_ count: Int) -> Int {
    count < columns ? offset(count) : rowWidth &- childWidth &- beforeWidth
  }

  @inline(__always)
  func row(_ index: Int) -> Int { rowsAt &+ index &* rowWidth }

  @inline(__always)
  func minimum(_ bytes: RawSpan, _ column: Int) -> UInt64 { bytes.u64(Self.fixedBytes &+ 8 &* column) }

  /// Returns one value of a row.
  @inline(__always)
  func value(_ bytes: RawSpan, row: Int, column: Int) -> UInt64 {
    minimum(bytes, column) &+ Self.load(bytes, self.row(row) &+ offset(column), width(column))
  }

  /// Returns all columns of a row.
  @inline(__always)
  func words(_ bytes: RawSpan, row: Int) -> Words {
    var words = Words()
    unsafe withUnsafeMutableBytes(of: &words) { target in
      var offset = self.row(row)
      var widths = widths
      for column in 0..<columns {
        let width = Int(widths & 0xFF)
        let word = minimum(bytes, column) &+ Self.load(bytes, offset, width)
        unsafe target.storeBytes(of: word, toByteOffset: 8 &* column, as: UInt64.self)
        offset &+= width
        widths &>>= 8
      }
    }
    return words
  }

  /// Returns the number of the child in a row of an inner node.
  @inline(__always)
  func child(_ bytes: RawSpan, _ index: Int) -> UInt64 {
    bytes.u64(Self.fixedBytes &+ 9 &* columns)
      &+ Self.load(bytes, row(index) &+ rowWidth &- childWidth &- beforeWidth, childWidth)
  }

  /// Returns the number of entries of an inner node before the child in a row.
  @inline(__always)
  func before(_ bytes: RawSpan, _ index: Int) -> UInt64 {
    Self.load(bytes, row(index) &+ rowWidth &- beforeWidth, beforeWidth)
  }

  /// Returns the number of entries in the child in a row; `total` is the number of entries in the node. In a damaged
  /// node the result can be any number.
  @inline(__always)
  func entries(_ bytes: RawSpan, _ index: Int, total: UInt64) -> UInt64 {
    (index &+ 1 < rows ? before(bytes, index &+ 1) : total) &- before(bytes, index)
  }

  /// Returns the row of the child that holds the entry with this rank in the node.
  @inline(__always)
  func select(_ bytes: RawSpan, _ rank: UInt64) -> Int {
    var base = 0
    var count = rows
    while count > 1 {
      let half = count &>> 1
      if before(bytes, base &+ half) <= rank { base &+= half }
      count &-= half
    }
    return base
  }

  @inline(__always)
  static func load(_ bytes: RawSpan, _ offset: Int, _ width: Int) -> UInt64 {
    width == 0 ? 0 : bytes.be64(offset) &>> UInt64(64 &- 8 &* width)
  }
}
