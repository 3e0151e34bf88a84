internal import RankedKeys
import SatchelBytes
package import StoreFiles

/// What is wrong with the bytes of a string tree. The tree adds the number of the node.
package enum TextFault: Error {
  /// A node's bytes contradict each other.
  case node
  /// The side table has no undamaged continuation of this number.
  case continuation(UInt64)
  /// The change at this index inserts an entry that is present, or removes one that is absent.
  case change(Int)
  case lmdb(LMDBError)
}

/// The offsets of the parts of a string node. Leaves and inner nodes store their keys in the same way. The keys of a
/// leaf are its entries. The keys of an inner node separate its children: child `i + 1` begins at key `i`.
///
/// Equal texts are stored together as one *run*, so that an entry of a common value takes only its row. The rows of
/// all keys form one column of equal bit widths, so that each row is read with one load. The bytes with which all
/// keys of the node begin are stored once. Of the rest of a text, the bytes that it shares with the run before are
/// left out, except at restarts, where a search can begin. A search looks at restarts, then scans the runs of one
/// block without assembling any key.
///
///     offset | size      | after the node header; all numbers little-endian
///     0      | 2         | number of keys n
///     2      | 2         | number of restarts r
///     4      | 1         | length p of the common beginning
///     5      | 1         | bits of a row
///     6      | 1         | bits of a child's number (inner nodes), or 0
///     7      | 1         | bits of a cumulative count (inner nodes), or 0
///     8      | 8         | least row
///     16     | 8         | least child number (inner nodes only)
///            | ⌈n·bits/8⌉ | rows, less the least
///            | …         | n + 1 child numbers, less the least (inner nodes only)
///            | …         | for each child, the entries in it and in the children before it (inner nodes only)
///            | 4 r       | restarts: offset of the run from the first run, 2 bytes; index of its first key, 2 bytes
///            | p         | the common beginning
///            | …         | runs
///
/// The bits of a column are numbered upwards from the lowest bit of its first byte.
///
/// A run is one byte, then what that byte announces. Its high half is the number of bytes, beyond the common
/// beginning, that are shared with the run before (15: 15 plus the next byte). Its low half is the number of the
/// run's own bytes that follow (14: 14 plus the next byte). A low half of 15 instead begins a mark that precedes the
/// run. With a high half of 0 the next byte, or of 1 the next two bytes, are the number of the run's keys less one;
/// with 2 the next eight bytes are the number of its continuation.
package struct TextNode {
  package let level: Int
  /// The number of keys of this node: entries of a leaf, or separators of an inner node.
  package let keyCount: Int
  let restarts: Int
  let prefixLength: Int
  let rowBits: Int
  let childBits: Int
  let countBits: Int
  let rowBase: UInt64
  let childBase: UInt64
  let rowsAt: Int
  let childrenAt: Int
  let countsAt: Int
  let restartsAt: Int
  let prefixAt: Int
  let runsAt: Int

  package var childCount: Int { keyCount &+ 1 }

  /// Creates a node without keys, for a cursor that has not entered a leaf.
  init() {
    level = 0
    keyCount = 0
    restarts = 0
    prefixLength = 0
    rowBits = 0
    childBits = 0
    countBits = 0
    rowBase = 0
    childBase = 0
    rowsAt = 0
    childrenAt = 0
    countsAt = 0
    restartsAt = 0
    prefixAt = 0
    runsAt = 0
  }

  /// Finds the parts of a node, and checks that each lies within the node. The content of the runs is checked when
  /// they are read.
  /// - Throws: `TextFault.node` if the parts contradict each other.
  package init(_ bytes: borrowing RawSpan, level: Int, bodyAt: Int) throws(TextFault) {
    let isLeaf = level == 0
    let fixed = isLeaf ? TextNodeLayout.leafFixedBytes : TextNodeLayout.innerFixedBytes
    guard bytes.contains(bodyAt, count: fixed) else { throw .node }
    self.level = level
    keyCount = Int(bytes.u16(bodyAt))
    restarts = Int(bytes.u16(bodyAt &+ 2))
    prefixLength = Int(bytes.u8(bodyAt &+ 4))
    rowBits = Int(bytes.u8(bodyAt &+ 5))
    childBits = Int(bytes.u8(bodyAt &+ 6))
    countBits = Int(bytes.u8(bodyAt &+ 7))
    rowBase = bytes.u64(bodyAt &+ 8)
    guard TextNodeLayout.isWidth(rowBits), TextNodeLayout.isWidth(childBits), countBits <= 57,
      prefixLength <= TextLimit.headBytes, restarts <= keyCount, (restarts == 0) == (keyCount == 0)
    else { throw .node }
    rowsAt = bodyAt &+ fixed
    childrenAt = rowsAt &+ TextNodeLayout.columnBytes(keyCount, bits: rowBits)
    if isLeaf {
      guard keyCount > 0, childBits == 0, countBits == 0 else { throw .node }
      childBase = 0
      countsAt = childrenAt
      restartsAt = childrenAt
    } else {
      childBase = bytes.u64(bodyAt &+ 16)
      countsAt = childrenAt &+ TextNodeLayout.columnBytes(keyCount &+ 1, bits: childBits)
      restartsAt = countsAt &+ TextNodeLayout.columnBytes(keyCount &+ 1, bits: countBits)
    }
    prefixAt = restartsAt &+ 4 &* restarts
    runsAt = prefixAt &+ prefixLength
    guard runsAt <= bytes.byteCount else { throw .node }
  }

  /// Returns the row of the key at `index`.
  @inline(__always)
  package func row(_ bytes: borrowing RawSpan, at index: Int) throws(TextFault) -> UInt64 {
    guard UInt(bitPattern: index) < UInt(bitPattern: keyCount) else { throw .node }
    return rowBase &+ TextNodeLayout.load(bytes, column: rowsAt, bits: rowBits, at: index)
  }

  /// Returns the number of the node that is child `index`.
  package func child(_ bytes: borrowing RawSpan, at index: Int) throws(TextFault) -> UInt64 {
    guard level > 0, UInt(bitPattern: index) < UInt(bitPattern: childCount) else { throw .node }
    return childBase &+ TextNodeLayout.load(bytes, column: childrenAt, bits: childBits, at: index)
  }

  /// Returns the number of entries in the children before `index`; with `index == childCount`, of all entries of this
  /// node.
  package func entries(_ bytes: borrowing RawSpan, before index: Int) throws(TextFault) -> Int {
    if index == 0 { return 0 }
    guard level > 0, UInt(bitPattern: index &- 1) < UInt(bitPattern: childCount) else { throw .node }
    return Int(TextNodeLayout.load(bytes, column: countsAt, bits: countBits, at: index &- 1))
  }

  /// Returns the index of the child that holds the entry of this rank within the node. O(log children).
  package func child(_ bytes: borrowing RawSpan, holding rank: Int) throws(TextFault) -> Int {
    var low = 0
    var high = keyCount
    while low < high {
      let middle = (low &+ high) &>> 1
      if try entries(bytes, before: middle &+ 1) <= rank { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

/// The layout arithmetic of a string node.
enum TextNodeLayout {
  static let leafFixedBytes = 16
  static let innerFixedBytes = 24
  /// The number of runs from one restart to the next. A scan takes a few nanoseconds per run; a restart takes four
  /// bytes and the bytes that are no longer shared. Readers accept any distance.
  static let leafRestartInterval = 16
  static let innerRestartInterval = 4

  /// Whether one load can read values of this width: up to 57 bits wherever they begin, or whole words.
  static func isWidth(_ bits: Int) -> Bool { bits <= 57 || bits == 64 }

  /// Returns the width of a column whose largest value is `value`.
  static func width(of value: UInt64) -> Int {
    let bits = 64 &- value.leadingZeroBitCount
    return bits > 57 ? 64 : bits
  }

  static func columnBytes(_ count: Int, bits: Int) -> Int { (count &* bits &+ 7) &>> 3 }

  /// Returns the value at `index` of a column that lies within the bytes. Reads eight bytes, which never go past the
  /// end: near the end they start earlier, for which the node header before the column leaves room.
  @inline(__always)
  static func load(_ bytes: borrowing RawSpan, column: Int, bits: Int, at index: Int) -> UInt64 {
    if bits == 0 { return 0 }
    let bit = index &* bits
    let byte = column &+ (bit &>> 3)
    let start = min(byte, bytes.byteCount &- 8)
    let shift = (byte &- start) &* 8 &+ (bit & 7)
    let mask = UInt64.max &>> UInt64(64 &- bits)
    return bytes.u64(start) &>> UInt64(truncatingIfNeeded: shift) & mask
  }

  /// Appends a column of values that are `bits` wide.
  static func append(_ values: some Sequence<UInt64>, bits: Int, to bytes: inout [UInt8]) {
    if bits == 0 { return }
    var word: UInt64 = 0
    var filled = 0
    for value in values {
      word |= value &<< UInt64(filled)
      let room = 64 &- filled
      if bits >= room {
        unsafe withUnsafeBytes(of: word.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        word = room == 64 ? 0 : value &>> UInt64(room)
        // If the value ended with the word, nothing of it is left.
        if bits == room { word = 0 }
        filled = bits &- room
      } else {
        filled &+= bits
      }
    }
    while filled > 0 {
      bytes.append(UInt8(truncatingIfNeeded: word))
      word &>>= 8
      filled &-= 8
    }
  }
}

/// Returns how many leading bytes `left` from `leftAt` and `right` from `rightAt` share, at most `limit`. Both must
/// have at least `limit` bytes.
@inline(__always)
func sharedBytes(
  _ left: borrowing RawSpan, _ leftAt: Int, _ right: borrowing RawSpan, _ rightAt: Int, limit: Int
) -> Int {
  var offset = 0
  while offset &+ 8 <= limit {
    let difference = left.u64(leftAt &+ offset) ^ right.u64(rightAt &+ offset)
    if difference != 0 { return offset &+ difference.trailingZeroBitCount &>> 3 }
    offset &+= 8
  }
  while offset < limit, left.u8(leftAt &+ offset) == right.u8(rightAt &+ offset) { offset &+= 1 }
  return offset
}
