extension SortKey: CustomStringConvertible {
  /// The text that ``init(_:)`` reads: `position`, `-sentAt`.
  public var description: String {
    var printer = Printer()
    printer.append(path: path)
    return (descending ? "-" : "") + printer.text
  }
}

extension SortKey: Codable {
  /// Decodes a text such as `position` or `-sentAt`.
  /// - Throws: ``SatchelError`` `syntaxError` if the text is not one sort key.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the text of the key, such as `-sentAt`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
