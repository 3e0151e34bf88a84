internal import SatchelBytes
package import SatchelText

/// What names an object of the store in a field of a record: the type of the object and its identifier. It may name an object that
/// is not there, or not yet.
///
/// The type is that of a `RecordType`, or one of ``conversations``, ``messages`` and ``identities``, whose names no record type may
/// have. Both parts are compared, hashed and ordered by their UTF-8 bytes, the type first.
public struct Reference: Sendable {
  /// The type of the objects that a conversation is referred to by.
  public static let conversations = "conversations"
  /// The type of messages and announcements: they share their identifiers.
  public static let messages = "messages"
  /// The type of identities, whose identifier is the user id.
  public static let identities = "identities"

  /// The type of the object.
  public let type: String
  /// The identifier of the object among those of its type.
  public let name: String

  /// Makes a reference of a type's name and an identifier. Nothing is checked until it is used in a store.
  public init(type: String, name: String) {
    self.type = type
    self.name = name
  }
}

extension Reference: Hashable {
  /// Whether both have the same type and the same identifier, byte by byte.
  public static func == (left: Self, right: Self) -> Bool {
    UTF8Order.areEqual(left.name, right.name) && UTF8Order.areEqual(left.type, right.type)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    UTF8Order.hash(type, into: &hasher)
    UTF8Order.hash(name, into: &hasher)
  }
}

extension Reference: Comparable, CustomStringConvertible {
  /// Compares the types, then the identifiers.
  public static func < (left: Self, right: Self) -> Bool {
    left.keyBytes.lexicographicallyPrecedes(right.keyBytes)
  }

  /// The type, a slash and the identifier: `list/work`.
  public var description: String { "\(type)/\(name)" }
}

extension Reference: Codable {
  /// Decodes a list of two texts: the type and the identifier.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(type: try container.decode(String.self), name: try container.decode(String.self))
    guard container.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "A reference is a list of two texts: a type and an identifier")
    }
  }

  /// Encodes a list of two texts: the type and the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(type)
    try container.encode(name)
  }
}

extension Reference {
  /// The bytes by which references compare, and which records and indexes hold: the type, a zero byte, the identifier.
  package var keyBytes: [UInt8] { Array(type.utf8) + [0] + Array(name.utf8) }

  /// Makes the reference of its bytes, as records and indexes have them; nil if these are none.
  package init?(keyBytes bytes: UnsafeRawBufferPointer) {
    guard unsafe Self.isKey(bytes), let end = unsafe bytes.firstIndex(of: 0),
      let type = unsafe String(utf8: UnsafeRawBufferPointer(rebasing: bytes[..<end])),
      let name = unsafe String(utf8: UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]))
    else { return nil }
    self.init(type: type, name: name)
  }

  /// Whether bytes are those of a reference: 1 to 64 of `A-Z a-z 0-9 _ -`, a zero byte, and at least one byte that is not zero. That
  /// those are UTF-8 is not checked.
  package static func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let end = unsafe bytes.firstIndex(of: 0), (1...maximumTypeBytes).contains(end),
      end + 1 < bytes.count
    else { return false }
    for index in 0..<end where unsafe !Metadata.isNameByte(bytes[index]) { return false }
    for index in end + 1..<bytes.count where unsafe bytes[index] == 0 { return false }
    return true
  }

  /// What is wrong with the reference; nil if nothing is.
  package var fault: String? {
    if !Self.isType(type) {
      return "\([type].spelledPath), which is no name of a type"
    }
    return name.isEmpty || name.utf8.contains(0) ? "an identifier that is empty or has NUL" : nil
  }

  /// The most UTF-8 bytes of a type's name.
  package static let maximumTypeBytes = 64

  /// Whether a text may be the name of a record type: 1 to 64 of `A-Z a-z 0-9 _ -`, and none of the names of other kinds of objects.
  package static func isRecordType(_ name: String) -> Bool {
    name.utf8.count <= maximumTypeBytes && Metadata.isName(name) && !kinds.contains(ByteString(name))
  }

  /// Whether a text may be the type of a reference: a name of a record type, or of one of the types that are none.
  package static func isType(_ name: String) -> Bool {
    isRecordType(name) || builtIn.contains(ByteString(name))
  }

  /// Names that stand for objects of other kinds wherever a kind or a type is named.
  private static let kinds: Set<ByteString> = builtIn.union(["parts", "announcements", "records"])

  /// The types that are no record types.
  package static let builtIn: Set<ByteString> = [
    ByteString(conversations), ByteString(messages), ByteString(identities),
  ]
}
