import SatchelText

/// A value of metadata, or of a field of a record: a text, a number, a Boolean, a date, a list of texts, or a dictionary of such; in a
/// record, also a reference. A later version may have more kinds of values, so a `switch` outside of this package needs an
/// `@unknown default`.
///
/// Integers and numbers are one type: they compare by value and exactly, so that 5 equals 5.0, and 2⁵³ + 1 is greater than
/// 2⁵³. Each is given back as it came. TRUE and 1 are values of different types, and so are a date and its text. Lists compare as
/// sets of their texts.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum MetadataValue: Sendable {
  /// A text of at most ``Metadata/maximumValueBytes`` UTF-8 bytes.
  case text(String)
  /// A whole number.
  case integer(Int64)
  /// A number, which is finite.
  case number(Double)
  /// True or false.
  case boolean(Bool)
  /// A point in time.
  case date(Timestamp)
  /// Texts, each of at most ``Metadata/maximumValueBytes`` UTF-8 bytes, together of at most ``Metadata/maximumListBytes``.
  case list([String])
  /// A nested dictionary.
  case dictionary(Metadata)
  /// What names another object: only in the fields of a record.
  indirect case reference(Reference)
}

extension MetadataValue: Hashable {
  /// Whether both are equal: texts, if they are canonically equivalent (NFC), integers and numbers by their values, lists if
  /// each has the texts of the other, in whichever order. An empty list equals an empty dictionary.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)):
      UTF8Order.areEqual(left, right) || UTF8Order.areEqual(NFC.normalized(left), NFC.normalized(right))
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.reference(let left), .reference(let right)): left == right
    case (.list(let left), .list(let right)):
      ListElements.distinct(left) == ListElements.distinct(right)
    // What is written `{}` in a predicate.
    case (.list(let list), .dictionary(let metadata)), (.dictionary(let metadata), .list(let list)):
      list.isEmpty && metadata.isEmpty
    default:
      // NaN, which no store accepts, equals nothing.
      if let left = MetadataScalar(left)?.key, let right = MetadataScalar(right)?.key {
        left == right
      } else {
        false
      }
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): UTF8Order.hash(NFC.normalized(text), into: &hasher)
    case .dictionary(let metadata): hasher.combine(metadata)
    case .reference(let reference): hasher.combine(reference)
    case .list(let texts) where texts.isEmpty: hasher.combine(Metadata())
    case .list(let texts): hasher.combine(ListElements.distinct(texts))
    case .integer, .number, .boolean, .date: hasher.combine(MetadataScalar(self)?.key)
    }
  }
}

extension MetadataValue {
  /// The text; nil for a value of another type.
  public var textValue: String? { if case .text(let text) = self { text } else { nil } }

  /// The whole number, which may have come as a number such as 5.0; nil for a number that has a fraction or lies outside of
  /// Int64, and for a value of another type.
  public var integerValue: Int64? {
    switch self {
    case .integer(let integer): integer
    case .number(let number): Int64(exactly: number)
    case .text, .boolean, .date, .list, .dictionary, .reference: nil
    }
  }

  /// The number, rounded to the nearest Double if it is an integer that none has; nil for a value of another type.
  public var numberValue: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .text, .boolean, .date, .list, .dictionary, .reference: nil
    }
  }

  /// The Boolean; nil for a value of another type.
  public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The point in time; nil for a value of another type.
  public var timestampValue: Timestamp? { if case .date(let date) = self { date } else { nil } }
}

extension MetadataValue {
  /// The texts of a list, as they were given; nil for a value of another type.
  public var listValue: [String]? { if case .list(let texts) = self { texts } else { nil } }

  /// The reference; nil for a value of another type.
  public var referenceValue: Reference? {
    if case .reference(let reference) = self { reference } else { nil }
  }
}

/// The texts of a list of metadata as a set: how lists compare, and what an index holds of them.
package enum ListElements {
  /// Returns the NFC of each text once, in ascending order.
  package static func distinct(_ texts: [String]) -> [[UInt8]] {
    var elements: [[UInt8]] = []
    elements.reserveCapacity(texts.count)
    for text in texts.map({ NFC.bytes($0) }).sorted(by: { $0.lexicographicallyPrecedes($1) })
    where elements.last != text {
      elements.append(text)
    }
    return elements
  }
}
