public import SatchelModel

extension FieldTypes {
  /// The metadata of an object: a whole value to compare with, or a key of it.
  ///
  /// A key is a member, `metadata.theme.color`; one that is not a Swift name, or is that of a function, is a
  /// subscript: `metadata["theme.in"]`.
  @dynamicMemberLookup
  public struct WholeMetadata: QueryField {
    public let propertyPath: [String]

    public static func == (field: Self, value: Metadata) -> Predicate {
      field.compare(.equal, .dictionary(value))
    }
    public static func != (field: Self, value: Metadata) -> Predicate {
      field.compare(.notEqual, .dictionary(value))
    }

    public subscript(dynamicMember key: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + [key])
    }
    public subscript(keyPath: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + MetadataValue.keys(keyPath))
    }
  }

  /// The text at a key path of an object's metadata, missing where there is none or a dictionary.
  @dynamicMemberLookup
  public struct MetadataValue: TextualField, OptionalField {
    public typealias Operand = String
    public let propertyPath: [String]

    public subscript(dynamicMember key: String) -> MetadataValue {
      MetadataValue(propertyPath: propertyPath + [key])
    }
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
