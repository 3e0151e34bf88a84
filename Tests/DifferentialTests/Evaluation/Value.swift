/// The types of property that differ in what may be asked of them.
enum ValueType: Sendable {
  /// Compared in NFC.
  case text
  /// Identifiers, user ids, references, MIME types: compared as they are.
  case exact
  case number, date, boolean, status, users, dictionary
  /// A value of metadata or of a field of a record, which has a type of its own.
  case custom
  /// How far a part has got, as its place in `transferStatuses`.
  case transfer

  var isSortable: Bool {
    switch self {
    case .text, .exact, .custom, .number, .date, .boolean, .transfer: true
    case .status, .users, .dictionary: false
    }
  }
}

/// A property's value as it is compared: dates in microseconds, text in NFC, and as it was given beside an identifier. Of a custom property a date is a `date`, and a number
/// that is a whole one within 64 bits an `integer`.
enum Value: Hashable, Sendable {
  case string(ByteString)
  case integer(Int64)
  case double(Double)
  case date(Int64)
  case boolean(Bool)
  case users(Set<ByteString>)
  /// That there is a list of metadata. Behind it the property also has all texts of the list, and each of them.
  case list
  case texts(Set<ByteString>)
  case dictionary(MetadataTree)
  /// Of a field of a record.
  case reference(ModelReference)

  /// The same with its texts in NFC.
  var composed: Value {
    switch self {
    case .string(let text): .string(text.composed)
    case .texts(let texts): .texts(Set(texts.map(\.composed)))
    case .integer, .double, .date, .boolean, .users, .list, .dictionary, .reference: self
    }
  }

  /// Whether this may be an element of a list, or stand for itself: it does not only say that there is a list.
  var isElement: Bool {
    switch self {
    case .list, .texts: false
    default: true
    }
  }

  /// Whether this sorts before another value of the same property; nothing does of a type that has no order.
  func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left < right
    case (.integer(let left), .integer(let right)): left < right
    case (.boolean(let left), .boolean(let right)): !left && right
    case (.double(let left), .double(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    case (.reference(let left), .reference(let right)): left.bytes < right.bytes
    case (.integer(let left), .double(let right)): left.order(beside: right) < 0
    case (.double(let left), .integer(let right)): right.order(beside: left) > 0
    default: rank < other.rank
    }
  }

  /// The place of the value's type among those that one property may have.
  private var rank: Int {
    switch self {
    case .boolean: 0
    case .integer, .double: 1
    case .date: 2
    case .string: 3
    case .list: 4
    case .reference: 5
    case .users, .dictionary, .texts: 6
    }
  }
}

extension Int64 {
  /// How the integer lies to a number that is not NaN: negative before it, positive after it. Exact, however large they are.
  func order(beside number: Double) -> Int {
    if number >= 0x1p63 { return -1 }
    if number < -0x1p63 { return 1 }
    let whole = Int64(number.rounded(.down))
    return self < whole ? -1 : self > whole ? 1 : number.rounded(.down) != number ? -1 : 0
  }
}
