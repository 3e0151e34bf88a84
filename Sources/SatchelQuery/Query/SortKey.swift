import SatchelModel

/// A property to sort results by, ascending or descending.
///
/// It reads and prints as `position` or `-sentAt`. Missing values come first ascending and last descending, except
/// those of a `position`, which come last ascending.
public struct SortKey: Sendable {
  /// The names of the property's key path.
  public let path: [String]
  /// True for the greatest value first.
  public let descending: Bool

  /// A sort key; whether the property sorts is found out when a query runs.
  public init(_ path: [String], descending: Bool = false) {
    self.path = path
    self.descending = descending
  }

  /// The key with the order turned round.
  public var reversed: SortKey { SortKey(path, descending: !descending) }
}

extension SortKey: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.descending == right.descending && ExactText.areEqual(left.path, right.path)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(descending)
    ExactText.hash(path, into: &hasher)
  }
}

extension SortKey: CustomStringConvertible {
  public var description: String {
    var printer = Printer()
    printer.append(path: path)
    return (descending ? "-" : "") + printer.text
  }
}

extension SortKey: Codable {
  /// Reads `position` or `-sentAt`.
  /// - Throws: ``SatchelError`` `syntaxError`.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
