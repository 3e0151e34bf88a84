/// The types of property that differ in what may be asked of them.
enum ValueType: Sendable {
  /// Compared in NFC.
  case text
  /// Identifiers, user ids, references, MIME types: compared as they are.
  case exact
  case number, date, boolean, status, users, dictionary
  /// How far a part has got, as its place in `transferStatuses`.
  case transfer

  var isSortable: Bool {
    switch self {
    case .text, .exact, .number, .date, .boolean, .transfer: true
    case .status, .users, .dictionary: false
    }
  }
}

/// A property's value as it is compared: text in NFC, dates in microseconds.
enum Value: Hashable, Sendable {
  case string(ByteString)
  case integer(Int64)
  case boolean(Bool)
  case users(Set<ByteString>)
  case dictionary(MetadataTree)

  /// Whether this sorts before another value of the same property; nothing does of a type that has no order.
  func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left < right
    case (.integer(let left), .integer(let right)): left < right
    case (.boolean(let left), .boolean(let right)): !left && right
    default: false
    }
  }
}
