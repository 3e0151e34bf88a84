internal import SatchelModel

/// JSON that a terminal can be given.
package enum DisplayJSON {
  /// The same JSON, with every character that a terminal or its reader could be led astray by as `\uXXXX`.
  ///
  /// Such characters stand in strings only: all that JSON has outside of them, line ends apart, is plain ASCII.
  package static func escaped(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 >= 0x7F }) else { return json }
    var result: [UInt8] = []
    result.reserveCapacity(json.count + 16)
    var text = String(decoding: json, as: UTF8.self)
    text.makeContiguousUTF8()
    for scalar in text.unicodeScalars {
      // What is below is escaped by JSON itself, or ends a line.
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
