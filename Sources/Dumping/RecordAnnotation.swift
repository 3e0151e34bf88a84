import SatchelBytes
import SatchelInterchange

/// A range of a record's bytes and its meaning.
struct AnnotatedField {
  /// The value of a field's bytes.
  enum Value {
    case number(UInt64)
    case signed(Int64)
    case real(Double)
    case text(String)
    case flag(Bool)
    case bytes([UInt8])
    case date(Int64)
  }

  let range: Range<Int>
  /// The field's name; nil if the bytes only serve to find others, such as lengths.
  let name: String?
  let value: Value
  /// What a number stands for, for people.
  let note: String?
}

/// A record that is decoded from its first byte to its last. Bytes that contradict the layout end the decoding: what
/// follows them is shown undecoded.
struct RecordAnnotation {
  let bytes: [UInt8]
  private(set) var fields: [AnnotatedField] = []
  /// The offset of the next field.
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Decodes the record with `body`, then adds the bytes left before the checksum, and the checksum.
  /// - Parameter isValid: Whether the checksum at the end is right; nil if there is none.
  mutating func annotate(isValid: Bool?, _ body: (inout RecordAnnotation) throws(ByteError) -> Void) {
    do throws(ByteError) {
      try body(&self)
    } catch {
      offset = min(max(offset, fields.last?.range.upperBound ?? 0), bytes.count)
      add(offset..<offset, "undecodedFrom", .number(UInt64(error.offset)))
    }
    let end = isValid == nil ? bytes.count : max(offset, bytes.count - 8)
    if offset < end {
      add(offset..<end, "undecoded", .bytes(Array(bytes[offset..<end])))
    }
    guard let isValid, end + 8 == bytes.count else { return }
    unsafe add(
      end..<bytes.count, "checksum", .text(hexadecimal(bytes.span.bytes.u64(end), digits: 16)),
      note: isValid ? nil : "wrong")
  }

  mutating func read<Value>(
    _ body: (inout ByteReader, RawSpan) throws(ByteError) -> Value
  ) throws(ByteError) -> Value {
    var reader = ByteReader(offset: offset)
    let value = unsafe try body(&reader, bytes.span.bytes)
    offset = reader.offset
    return value
  }

  mutating func add(_ range: Range<Int>, _ name: String?, _ value: AnnotatedField.Value, note: String? = nil)
  {
    fields.append(AnnotatedField(range: range, name: name, value: value, note: note))
  }

  // MARK: Fields, one after another

  @discardableResult
  mutating func u8(_ name: String?, note: (UInt8) -> String? = { _ in nil }) throws(ByteError) -> UInt8 {
    let start = offset
    let value = try read { (reader, bytes) throws(ByteError) in try reader.u8(bytes) }
    add(start..<offset, name, .number(UInt64(value)), note: note(value))
    return value
  }

  @discardableResult
  mutating func u16(_ name: String?, note: String? = nil) throws(ByteError) -> UInt16 {
    let start = offset
    let value = try read { (reader, bytes) throws(ByteError) in try reader.u16(bytes) }
    add(start..<offset, name, .number(UInt64(value)), note: note)
    return value
  }

  @discardableResult
  mutating func u32(_ name: String?, note: (UInt32) -> String? = { _ in nil }) throws(ByteError) -> UInt32 {
    let start = offset
    let value = try read { (reader, bytes) throws(ByteError) in try reader.u32(bytes) }
    add(start..<offset, name, .number(UInt64(value)), note: note(value))
    return value
  }

  @discardableResult
  mutating func u64(_ name: String?, note: (UInt64) -> String? = { _ in nil }) throws(ByteError) -> UInt64 {
    let start = offset
    let value = try read { (reader, bytes) throws(ByteError) in try reader.u64(bytes) }
    add(start..<offset, name, .number(value), note: note(value))
    return value
  }

  /// Adds a signed number or a date that has a meaning only if a flag says so.
  mutating func optional(_ name: String, isPresent: Bool, isDate: Bool) throws(ByteError) {
    let start = offset
    let value = Int64(bitPattern: try read { (reader, bytes) throws(ByteError) in try reader.u64(bytes) })
    add(
      start..<offset, isPresent ? name : nil, isPresent && isDate ? .date(value) : .signed(value),
      note: isPresent ? nil : "no \(name)")
  }

  mutating func hash(_ name: String, note: String? = nil) throws(ByteError) {
    let start = offset
    let value = try read { (reader, bytes) throws(ByteError) in try reader.u64(bytes) }
    add(start..<offset, name, .text(hexadecimal(value, digits: 16)), note: note)
  }

  /// Skips bytes that the caller adds.
  mutating func skip(_ count: Int) throws(ByteError) {
    _ = try read { (reader, bytes) throws(ByteError) in try reader.take(count, bytes) }
  }

  @discardableResult
  mutating func varint(_ name: String?, note: (UInt64) -> String? = { _ in nil }) throws(ByteError) -> UInt64
  {
    let start = offset
    let value = try read { (reader, bytes) throws(ByteError) in try reader.varint(bytes) }
    add(start..<offset, name, .number(value), note: note(value))
    return value
  }

  /// Adds a length, or a count of things that take at least a byte each.
  mutating func length(_ of: String) throws(ByteError) -> Int {
    let start = offset
    let value = try read { (reader, bytes) throws(ByteError) in try reader.varint(bytes) }
    guard value <= UInt64(max(0, bytes.count - offset)) else { throw ByteError(offset: start) }
    add(start..<offset, nil, .number(value), note: "\(value) \(of)")
    return Int(value)
  }

  mutating func text(_ name: String?, count: Int, note: String? = nil) throws(ByteError) {
    let start = try read { (reader, bytes) throws(ByteError) in try reader.take(count, bytes) }
    guard count > 0 || name != nil else { return }
    add(start..<offset, name, .text(String(decoding: bytes[start..<offset], as: UTF8.self)), note: note)
  }

  mutating func data(_ name: String?, count: Int) throws(ByteError) {
    let start = try read { (reader, bytes) throws(ByteError) in try reader.take(count, bytes) }
    add(start..<offset, name, .bytes(Array(bytes[start..<offset])))
  }
}

/// Returns a number in hexadecimal, with leading zeros up to `digits` digits.
func hexadecimal(_ value: UInt64, digits: Int) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
