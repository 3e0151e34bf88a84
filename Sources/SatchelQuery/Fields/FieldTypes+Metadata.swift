public import SatchelModel

extension FieldTypes {
  /// The metadata of an object: a whole value to compare with, or one of its keys.
  ///
  /// A key is written as a member: `metadata.theme.color`. A key that is not a Swift name, or that is the name of a
  /// function, is written as a subscript: `metadata["theme.in"]`; keys that have dots are an array of them:
  /// `metadata[["readAt", "alice@example.org"]]`.
  @dynamicMemberLookup
  public struct WholeMetadata: QueryField {
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]

    /// Matches objects whose metadata is equal as a whole.
    public static func == (field: Self, value: Metadata) -> QueryPredicate {
      field.compare(.equal, .dictionary(value))
    }
    /// Matches objects whose metadata differs anywhere.
    public static func != (field: Self, value: Metadata) -> QueryPredicate {
      field.compare(.notEqual, .dictionary(value))
    }

    /// The value under one more key.
    public subscript(dynamicMember key: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + [key])
    }
    /// The value under a dotted key path.
    public subscript(keyPath: String) -> MetadataValue { self[MetadataPath(dotted: keyPath).keys] }
    /// The value under a path of keys, which may have dots.
    public subscript(keys: [String]) -> MetadataValue { MetadataValue(propertyPath: propertyPath + keys) }
  }

  /// The value at a key path of an object's metadata, which compares as a text; `number`, `date`, `boolean` and `list` compare it
  /// as a value of another type: `metadata.priority.number > 5`. A value of another type than it is compared with passes no
  /// comparison, and all complements (`!=`, `notIn`). It is missing if the key path has no value or has a dictionary.
  ///
  /// A comparison with a text means of a list that it has such a text: `metadata.tags == "urgent"`, and `contains` is one that
  /// has it as a part. The complements mean that it has none.
  ///
  /// A key of one of these four names is written as a subscript: `metadata.shown["date"]`.
  @dynamicMemberLookup
  public struct MetadataValue: TextualField, OptionalField {
    /// What values of the field are compared with.
    public typealias Operand = String
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]

    /// The value, compared as a number. Integers and numbers compare by their values, exactly.
    public var number: MetadataNumber { MetadataNumber(propertyPath: propertyPath) }
    /// The value, compared as a point in time.
    public var date: OptionalDate { OptionalDate(propertyPath: propertyPath) }
    /// The value, compared as a Boolean. Used alone as a predicate, it means "is true".
    public var boolean: OptionalBoolean { OptionalBoolean(propertyPath: propertyPath) }
    /// The value as a list of texts.
    public var list: MetadataList { MetadataList(propertyPath: propertyPath) }

    /// The value under one more key.
    public subscript(dynamicMember key: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + [key])
    }
    /// The value under a dotted key path.
    public subscript(keyPath: String) -> MetadataValue { self[MetadataPath(dotted: keyPath).keys] }
    /// The value under a path of keys, which may have dots.
    public subscript(keys: [String]) -> MetadataValue { MetadataValue(propertyPath: propertyPath + keys) }
  }

  /// A number at a key path of an object's metadata: an integer or a `Double`. Values of other types count as missing in sums.
  public struct MetadataNumber: NumericField, OptionalField {
    /// Sums are exact, and rounded when they are read.
    public typealias Sum = Double
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// A list of texts at a key path of an object's metadata. A value that is no list passes no `==`, and for the functions it is the
  /// only element: a text is found by ``contains(_:)-(String)`` too.
  public struct MetadataList: OptionalField {
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]

    /// Matches lists that have this text: `'urgent' IN metadata.tags`.
    public func contains(_ text: String) -> QueryPredicate { compare(.member, text) }
    /// Matches lists that have one of these texts.
    public func contains(anyOf texts: some Sequence<String>) -> QueryPredicate { compare(.in, texts) }
    /// Matches lists that have each of these texts.
    public func contains(allOf texts: some Sequence<String>) -> QueryPredicate {
      .and(texts.map { compare(.member, $0) })
    }

    /// Matches lists with at least one text that meets the condition: `any { $0 != "late" }`. It has to be a single
    /// condition: `any { $0 > "a" && $0 < "b" }` throws `notAvailable` when the query runs. A text counts as a list of it alone.
    public func any<Filter: PredicateConvertible>(_ condition: (Text) -> Filter) -> QueryPredicate {
      condition(Text(propertyPath: propertyPath)).predicate.onAnyElement ?? .invalid(.combinedQuantifier)
    }
    /// Matches lists whose texts all meet the condition, the empty list too. An object without a value is matched only if the condition
    /// is a complement, as with `!=` and `notIn`.
    public func all<Filter: PredicateConvertible>(_ condition: (Text) -> Filter) -> QueryPredicate {
      condition(Text(propertyPath: propertyPath)).predicate.onEveryElement ?? .invalid(.combinedQuantifier)
    }
    /// Matches all objects that `any` does not match, also if the value is missing.
    public func none<Filter: PredicateConvertible>(_ condition: (Text) -> Filter) -> QueryPredicate {
      .not(any(condition))
    }

    /// Matches lists with these texts and no other, in whichever order.
    public static func == (field: Self, texts: [String]) -> QueryPredicate { field.compare(.equal, texts) }
    /// Matches all objects that `==` does not match, also if the value is missing.
    public static func != (field: Self, texts: [String]) -> QueryPredicate { field.compare(.notEqual, texts) }
  }
}
