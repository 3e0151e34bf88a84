import SatchelText

/// JSON that is safe to show in a terminal.
package enum DisplayJSON {
  /// Returns the same JSON, with `\uXXXX` for every character that could mislead a terminal or its reader.
  ///
  /// Such characters occur in strings only: outside strings, JSON is plain ASCII and line ends, which stay.
  package static func escaped(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 >= 0x7F }) else { return json }
    var result: [UInt8] = []
    result.reserveCapacity(json.count + 16)
    var text = String(decoding: json, as: UTF8.self)
    text.makeContiguousUTF8()
    for scalar in text.unicodeScalars {
      // Control characters below U+0020 are escaped by JSON itself, or end a line.
      if scalar.value < 0x7F {
        result.append(UInt8(truncatingIfNeeded: scalar.value))
      } else if scalar.isUnsafeToDisplay {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          result.append(contentsOf: "\\u".utf8)
          result.appendHexadecimal(UInt64(unit), digits: 4)
        }
      } else {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return result
  }
}
