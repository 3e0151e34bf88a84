public import SatchelModel
import SatchelText

/// The value of a property before or after a commit.
public enum ChangedValue: Sendable {
  /// The object has no value.
  case missing
  /// The object may have a value, but the log does not keep it: a text of more than 256 bytes, or a value that a change of more than a
  /// thousand objects replaced.
  case unknown
  /// A Boolean.
  case boolean(Bool)
  /// A whole number, such as a position, a count or an integer of metadata.
  case number(Int64)
  /// A number of metadata that is given as a Double.
  case double(Double)
  /// A point in time.
  case date(Timestamp)
  /// A text, an identifier or a user id.
  case text(String)
  /// User ids (`participants`) or MIME types (`parts.mimeType`), ascending and without repetition.
  case list([String])
  /// What names another object: a value of a record's field.
  indirect case reference(Reference)
  /// The statuses of recipients: of those whose status differs, or of all where a message was deleted. Who is not there was no
  /// recipient.
  case statuses([Identity.ID: RecipientStatus])
}

extension ChangedValue: Hashable {
  // Texts are compared by their bytes, as identifiers are: Swift's own comparison treats the two spellings of "é" as
  // equal, so it would not see a change from one to the other.
  /// Whether both are the same value; texts are compared by their bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.missing, .missing), (.unknown, .unknown): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    // By its bits: 0.0 and −0.0 are two values, as a record gives them back.
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.date(let left), .date(let right)): left == right
    case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
    case (.list(let left), .list(let right)): left.elementsEqual(right, by: UTF8Order.areEqual)
    case (.statuses(let left), .statuses(let right)): left == right
    case (.reference(let left), .reference(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .missing: hasher.combine(0)
    case .unknown: hasher.combine(1)
    case .boolean(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .date(let value): hasher.combine(value)
    case .text(let text): UTF8Order.hash(text, into: &hasher)
    case .list(let texts):
      hasher.combine(texts.count)
      for text in texts { UTF8Order.hash(text, into: &hasher) }
    case .statuses(let statuses): hasher.combine(statuses)
    case .reference(let reference): hasher.combine(reference)
    }
  }
}
