/// A line of a vector: a name and values, separated by spaces. A value in quotes is a string (`\"`, `\\` and `\n`
/// escaped), one that begins with `x:` bytes in hexadecimal.
package struct FieldLine: Equatable {
  package var name: String
  package var values: [String]

  package init(_ name: String, _ values: String...) { self.init(name, values: values) }

  package init(_ name: String, values: [String]) {
    self.name = name
    self.values = values
  }

  package init(parsing line: String) throws {
    var tokens: [String] = []
    var token = ""
    var isQuoted = false
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if !isQuoted && scalar == " " {
        if !token.isEmpty { tokens.append(token) }
        token = ""
        continue
      }
      token.unicodeScalars.append(scalar)
      if scalar == "\"" && !isEscaped { isQuoted.toggle() }
      isEscaped = scalar == "\\" && !isEscaped
    }
    if !token.isEmpty { tokens.append(token) }
    guard let name = tokens.first, !isQuoted else { throw VectorError("a line cannot be read: \(line)") }
    self.name = name
    values = Array(tokens.dropFirst())
  }

  package var text: String { ([name] + values).joined(separator: " ") }
}

package struct VectorError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

/// Takes lines out of a vector, until none is left.
package struct FieldReader {
  package private(set) var lines: [FieldLine]

  package init(_ lines: [FieldLine]) { self.lines = lines }

  /// The values of the first line of that name, or nil without one.
  package mutating func find(_ name: String) -> [String]? {
    guard let index = lines.firstIndex(where: { $0.name == name }) else { return nil }
    return lines.remove(at: index).values
  }

  package mutating func all(_ name: String) -> [[String]] {
    var found: [[String]] = []
    while let values = find(name) { found.append(values) }
    return found
  }

  package mutating func flag(_ name: String) -> Bool { find(name) != nil }

  package mutating func optional<T: FixedWidthInteger>(_ name: String) throws -> T? {
    try find(name).map { try Literal.number($0, 0) }
  }

  package mutating func number<T: FixedWidthInteger>(_ name: String) throws -> T {
    guard let number: T = try optional(name) else { throw VectorError("\(name) is missing") }
    return number
  }

  package mutating func string(_ name: String) throws -> String {
    guard let values = find(name) else { throw VectorError("\(name) is missing") }
    return try Literal.string(values, 0)
  }

  package mutating func next() -> FieldLine? { lines.isEmpty ? nil : lines.removeFirst() }

  package func end() throws {
    if let line = lines.first { throw VectorError("a line means nothing: \(line.text)") }
  }
}

/// The spelling of values.
package enum Literal {
  package static func word(_ values: [String], _ index: Int) throws -> String {
    guard index < values.count else { throw VectorError("too few values: \(values)") }
    return values[index]
  }

  package static func number<T: FixedWidthInteger>(_ values: [String], _ index: Int) throws -> T {
    let word = try word(values, index)
    guard let number = T(word) else { throw VectorError("not a number: \(word)") }
    return number
  }

  package static func string(_ values: [String], _ index: Int) throws -> String {
    let word = try word(values, index)
    guard word.utf8.count >= 2, word.utf8.first == UInt8(ascii: "\""), word.utf8.last == UInt8(ascii: "\"")
    else {
      throw VectorError("not a string: \(word)")
    }
    var text = ""
    var isEscaped = false
    for scalar in word.unicodeScalars.dropFirst().dropLast() {
      if scalar == "\\" && !isEscaped {
        isEscaped = true
        continue
      }
      text.unicodeScalars.append(isEscaped && scalar == "n" ? "\n" : scalar)
      isEscaped = false
    }
    return text
  }

  package static func bytes(_ values: [String], _ index: Int) throws -> [UInt8] {
    let word = try word(values, index)
    guard word.hasPrefix("x:") else { return Array(try string(values, index).utf8) }
    return try hex(word.dropFirst(2))
  }

  package static func hex(_ text: some StringProtocol) throws -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { $0 }
    guard digits.count.isMultiple(of: 2) else { throw VectorError("half a byte: \(text)") }
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else {
        throw VectorError("not hexadecimal: \(text)")
      }
      return byte
    }
  }

  package static func quoted(_ text: String) -> String {
    "\""
      + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }

  package static func quoted(_ bytes: [UInt8]) -> String { quoted(String(decoding: bytes, as: UTF8.self)) }

  package static func hexWord(_ bytes: [UInt8]) -> String { "x:" + hex(bytes) }

  package static func hexWord(_ number: UInt64) -> String {
    hexWord((0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) })
  }

  package static func wordNumber(_ values: [String], _ index: Int) throws -> UInt64 {
    try bytes(values, index).reduce(0) { $0 << 8 | UInt64($1) }
  }

  package static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Bytes in lines of 32, in groups of four.
  package static func hexLines(_ bytes: [UInt8]) -> [String] {
    stride(from: 0, to: bytes.count, by: 32).map { start in
      stride(from: start, to: min(bytes.count, start + 32), by: 4).map { group in
        hex(Array(bytes[group..<min(bytes.count, group + 4)]))
      }.joined(separator: " ")
    }
  }
}
