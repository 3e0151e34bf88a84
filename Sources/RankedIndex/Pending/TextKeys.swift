package import RankedKeys
import SatchelBytes

/// The keys of a string tree's rows: the rows of objects, then the ends of keys, and at last the bytes of all keys, each a
/// group and a text.
@safe
package struct TextKeys: RunKeys {
  private let rows: UnsafeMutablePointer<UInt64>
  /// Where each key begins. One more than there are rows: the last is the end of all keys.
  private let starts: UnsafeMutablePointer<UInt32>
  private let keys: UnsafeMutablePointer<UInt8>

  package static var havePayload: Bool { false }

  package static func byteCount(_ tree: TextTreeSchema, _ rows: Int) -> Int { 12 * rows + 4 }

  @inline(__always)
  package init(_ tree: TextTreeSchema, at base: UnsafeMutableRawPointer, capacity: Int) {
    unsafe rows = base.assumingMemoryBound(to: UInt64.self)
    unsafe starts = (base + 8 &* capacity).assumingMemoryBound(to: UInt32.self)
    unsafe keys = (base + 12 &* capacity + 4).assumingMemoryBound(to: UInt8.self)
  }

  package func clear() { unsafe starts.initialize(to: 0) }

  /// The group and the text of each.
  @inline(__always)
  package func textBytes(_ count: Int) -> Int { Int(unsafe starts[count]) }

  /// Returns the row of the object that has the text.
  @inline(__always)
  package func value(_ row: Int) -> UInt64 { unsafe rows[row] }

  /// Returns the group and the text, valid as long as the rows.
  @inline(__always)
  func bytes(_ row: Int) -> UnsafeRawBufferPointer {
    let start = Int(unsafe starts[row])
    return unsafe UnsafeRawBufferPointer(start: keys + start, count: Int(starts[row &+ 1]) &- start)
  }

  package func entry(_ row: Int) -> TextKey {
    let bytes = unsafe bytes(row)
    return unsafe TextKey(
      group: bytes.bytes.be64(0), text: [UInt8](bytes.dropFirst(TextLimit.groupBytes)), row: value(row))
  }

  @inline(__always)
  package func isBefore(_ row: Int, _ bound: TextBound) -> Bool {
    guard let bytes = bound.bytes else { return true }
    return unsafe compare(row, bytes.span.bytes, bound.row) < 0
  }

  /// Compares a row's key with the bytes of a group and a text, and an object's row. The result is negative, 0 or
  /// positive.
  @inline(__always)
  func compare(_ row: Int, _ bytes: borrowing RawSpan, _ object: UInt64) -> Int {
    let order = unsafe self.bytes(row).bytes.compare(bytes)
    if order != 0 { return order }
    let own = value(row)
    return own == object ? 0 : own < object ? -1 : 1
  }

  package func compare(_ row: Int, _ other: TextKeys, _ otherRow: Int) -> Int {
    unsafe compare(row, other.bytes(otherRow).bytes, other.value(otherRow))
  }

  package func bounds(_ row: Int) -> (before: TextBound, after: TextBound) {
    let key = entry(row)
    return (.before(key), .after(key))
  }

  /// The group, the first eight bytes of the text, and the object's row.
  package func words(_ row: Int) -> [UInt64] { entry(row).words }

  /// Writes a key behind the first `count` rows, for which there must be room.
  func append(_ bytes: borrowing RawSpan, _ object: UInt64, behind count: Int) {
    let start = textBytes(count)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: keys + start, count: source.count).copyMemory(from: source)
    }
    unsafe starts[count &+ 1] = UInt32(truncatingIfNeeded: start &+ bytes.byteCount)
    unsafe rows[count] = object
  }

  package func copy(_ other: TextKeys, _ range: Range<Int>, behind count: Int) {
    let first = range.lowerBound
    let (start, end) = unsafe (other.starts[first], other.starts[range.upperBound])
    let shift = unsafe starts[count] &- start
    unsafe (keys + textBytes(count)).update(from: other.keys + Int(start), count: Int(end &- start))
    unsafe (rows + count).update(from: other.rows + first, count: range.count)
    for index in 0..<range.count {
      unsafe starts[count &+ index &+ 1] = other.starts[first &+ index &+ 1] &+ shift
    }
  }
}

extension TextTreeSchema: RunTree {
  package typealias Keys = TextKeys
}

extension RawSpan {
  /// The first eight bytes, big-endian, with zeros after the end of a shorter text.
  var start: UInt64 {
    if byteCount >= 8 { return be64(0) }
    var start: UInt64 = 0
    for index in 0..<8 { start = start << 8 | (index < byteCount ? UInt64(u8(index)) : 0) }
    return start
  }
}

extension TextKey {
  /// The key as an error names it.
  var words: [UInt64] { [group, unsafe text.span.bytes.start, row] }
}
