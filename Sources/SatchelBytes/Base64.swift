/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
package enum Base64 {
  /// Why a text is not Base64.
  package struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of the fault, in bytes.
    package let offset: Int
    package let reason: String

    package var description: String { "not Base64 at byte \(offset + 1): \(reason)" }
  }

  /// Appends `content` as Base64 text: four bytes for each group of up to three.
  package static func encode(_ content: [UInt8], into output: inout [UInt8]) {
    var index = 0
    while index + 3 <= content.count {
      let group =
        UInt32(content[index]) &<< 16 | UInt32(content[index + 1]) &<< 8 | UInt32(content[index + 2])
      for shift: UInt32 in [18, 12, 6, 0] { output.append(letter(group >> shift)) }
      index += 3
    }
    switch content.count - index {
    case 1:
      let group = UInt32(content[index]) &<< 16
      output += [letter(group >> 18), letter(group >> 12), padding, padding]
    case 2:
      let group = UInt32(content[index]) &<< 16 | UInt32(content[index + 1]) &<< 8
      output += [letter(group >> 18), letter(group >> 12), letter(group >> 6), padding]
    default: break
    }
  }

  /// Returns the content of `text`. The check is strict: white space, missing padding, another alphabet and bits that
  /// no encoder would have set are errors, so that encoding the content again gives the same text.
  package static func decode(_ text: String) throws(Invalid) -> [UInt8] {
    var text = text
    let result: Result<[UInt8], Invalid> = text.withUTF8 { buffer in
      do throws(Invalid) {
        return unsafe .success(try decode(buffer.span.bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func decode(_ text: RawSpan) throws(Invalid) -> [UInt8] {
    guard text.byteCount % 4 == 0 else {
      throw Invalid(offset: text.byteCount, reason: "the length \(text.byteCount) is no multiple of four")
    }
    var letters = text.byteCount
    while letters > max(0, text.byteCount - 2), text.u8(letters - 1) == padding { letters -= 1 }

    var content: [UInt8] = []
    content.reserveCapacity(text.byteCount / 4 * 3)
    var group: UInt32 = 0
    for offset in 0..<letters {
      let value = values[Int(text.u8(offset))]
      guard value < 64 else { throw Invalid(offset: offset, reason: "a byte that is not in the alphabet") }
      group = group &<< 6 | UInt32(value)
      if offset % 4 == 3 {
        content.append(UInt8(truncatingIfNeeded: group &>> 16))
        content.append(UInt8(truncatingIfNeeded: group &>> 8))
        content.append(UInt8(truncatingIfNeeded: group))
      }
    }
    // The last letters hold 8 or 16 bits of content, and spare bits below them.
    let rest = letters % 4
    if rest != 0 {
      let spare: UInt32 = rest == 2 ? 4 : 2
      guard group & (1 &<< spare - 1) == 0 else {
        throw Invalid(offset: letters - 1, reason: "bits behind the last byte")
      }
      group &>>= spare
      if rest == 3 { content.append(UInt8(truncatingIfNeeded: group &>> 8)) }
      content.append(UInt8(truncatingIfNeeded: group))
    }
    return content
  }

  private static let padding = UInt8(ascii: "=")
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte as a letter of the alphabet; 0xFF if it is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  private static func letter(_ bits: UInt32) -> UInt8 {
    alphabet[Int(bits & 0x3F)]
  }
}
