/// The value of a property before or after a commit.
public enum ChangedValue: Sendable {
  /// There was none.
  case missing
  /// There may have been one, which is not kept: a text of more than 256 bytes, the statuses of recipients, or what a
  /// change of more than a thousand objects has replaced.
  case unknown
  case boolean(Bool)
  case number(Int64)
  case date(Timestamp)
  /// A text, an identifier or a user id.
  case text(String)
  /// User ids (`participants`) or MIME types (`parts.mimeType`), ascending and without repetition.
  case list([String])
}

extension ChangedValue: Hashable {
  // Texts are equal by their bytes, as identifiers are: Swift's own comparison would not see a change from one spelling
  // of "é" to the other.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.missing, .missing), (.unknown, .unknown): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
    case (.list(let left), .list(let right)): left.elementsEqual(right, by: UTF8Order.areEqual)
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .missing: hasher.combine(0)
    case .unknown: hasher.combine(1)
    case .boolean(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .text(let text): UTF8Order.hash(text, into: &hasher)
    case .list(let texts):
      hasher.combine(texts.count)
      for text in texts { UTF8Order.hash(text, into: &hasher) }
    }
  }
}
