import TestSupport

/// Bytes that end before the field that should be there.
struct AnnotationError: Error, CustomStringConvertible {
  let description: String
}

/// Walks over the bytes of a value and notes what each of them means: `08-16: x 0500… # position = 5`.
struct AnnotatedBytes {
  let bytes: [UInt8]
  private(set) var offset = 0
  private(set) var lines: [String] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var rest: Int { bytes.count - offset }

  /// Takes the next bytes.
  mutating func take(_ count: Int, _ meaning: String) throws -> [UInt8] {
    guard count >= 0, count <= rest else {
      throw AnnotationError(description: "\(count) bytes at \(offset) of \(bytes.count): \(meaning)")
    }
    let taken = Array(bytes[offset..<offset + count])
    note(count, meaning)
    return taken
  }

  /// A little-endian number of a fixed size.
  @discardableResult
  mutating func number(
    _ size: Int, _ name: String, _ show: (UInt64) -> String = { String($0) }
  ) throws -> UInt64 {
    guard size <= rest else { throw AnnotationError(description: "\(size) bytes at \(offset): \(name)") }
    let value = bytes[offset..<offset + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    note(size, "\(name) = \(show(value))")
    return value
  }

  /// A big-endian number of a fixed size.
  @discardableResult
  mutating func big(
    _ size: Int, _ name: String, _ show: (UInt64) -> String = { String($0) }
  ) throws -> UInt64 {
    guard size <= rest else { throw AnnotationError(description: "\(size) bytes at \(offset): \(name)") }
    let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    note(size, "\(name) = \(show(value))")
    return value
  }

  @discardableResult
  mutating func signed(_ name: String) throws -> Int64 {
    Int64(bitPattern: try number(8, name) { String(Int64(bitPattern: $0)) })
  }

  @discardableResult
  mutating func varint(_ name: String, _ show: (UInt64) -> String = { String($0) }) throws -> UInt64 {
    var value: UInt64 = 0
    var size = 0
    repeat {
      guard size < min(10, rest) else { throw AnnotationError(description: "varint at \(offset): \(name)") }
      value |= UInt64(bytes[offset + size] & 0x7F) << UInt64(7 * size)
      size += 1
    } while bytes[offset + size - 1] >= 0x80
    note(size, "\(name) = \(show(value))")
    return value
  }

  /// A varint that says how many bytes of a text follow, and the text.
  mutating func counted(_ name: String) throws {
    let count = try varint("bytes of \(name)")
    try text(Int(clamping: count), name)
  }

  mutating func text(_ count: Int, _ name: String) throws {
    guard count > 0 else { return }
    let end = min(bytes.count, offset + count)
    _ = try take(
      count, "\(name) = \(Literal.quoted(Array(bytes[offset..<end].prefix(48))))\(count > 48 ? "…" : "")")
  }

  /// What is left has to be zeros.
  mutating func zeros(_ name: String) throws {
    guard bytes[offset...].allSatisfy({ $0 == 0 }) else {
      throw AnnotationError(description: "not zero behind \(offset): \(name)")
    }
    note(rest, name)
  }

  /// A line for what takes no bytes.
  mutating func comment(_ meaning: String) {
    lines.append("\(Self.padded(offset))-\(Self.padded(offset)): x # \(meaning)")
  }

  func end() throws {
    guard rest == 0 else {
      throw AnnotationError(description: "\(rest) bytes mean nothing, from \(offset) on")
    }
  }

  /// Long runs of bytes take several lines, 32 bytes each.
  private mutating func note(_ count: Int, _ meaning: String) {
    var meaning = meaning
    var left = count
    var place = offset
    while left > 0 {
      let size = min(left, 32)
      lines.append(
        "\(Self.padded(place))-\(Self.padded(place + size)): x \(Literal.hex(Array(bytes[place..<place + size])))"
          + " # \(meaning)")
      meaning = "(continued)"
      place += size
      left -= size
    }
    offset += count
  }

  private static func padded(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 3 - String(number).count)) + String(number)
  }
}
