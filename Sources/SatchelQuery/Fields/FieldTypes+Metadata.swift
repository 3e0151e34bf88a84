public import SatchelModel

extension FieldTypes {
  /// The metadata of an object: a whole value to compare with, or one of its keys.
  ///
  /// A key is written as a member: `metadata.theme.color`. A key that is not a Swift name, or that is the name of a
  /// function, is written as a subscript: `metadata["theme.in"]`.
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

    /// The text under one more key.
    public subscript(dynamicMember key: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + [key])
    }
    /// The text under a dotted key path.
    public subscript(keyPath: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + MetadataValue.keys(keyPath))
    }
  }

  /// The text at a key path of an object's metadata. The value is missing if the key path has no value or has a
  /// dictionary.
  @dynamicMemberLookup
  public struct MetadataValue: TextualField, OptionalField {
    /// What values of the field are compared with.
    public typealias Operand = String
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]

    /// The text under one more key.
    public subscript(dynamicMember key: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + [key])
    }
    /// The text under a dotted key path.
    public subscript(keyPath: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + Self.keys(keyPath))
    }

    static func keys(_ keyPath: String) -> [String] {
      keyPath.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
        String(Substring($0))
      }
    }
  }
}
