import SatchelLines
public import SatchelModel

extension Metadata {
  /// What a `null` in a JSON text stands for.
  public enum JSONNull: Sendable {
    /// Nothing that metadata has: the text is refused, and the error names the key path.
    case refused
    /// A key that has no value: it is left out.
    case leftOut
  }

  /// Reads metadata from a JSON object, such as a server sends: texts, numbers, Booleans and nested objects. An object whose
  /// only key is `$date` is the date that its text gives in RFC 3339; one whose only key begins with `$$` is a dictionary with that key
  /// without the first `$`. A number without point and exponent that fits is an
  /// integer.
  /// - Parameters:
  ///   - text: One JSON object (RFC 8259).
  ///   - null: What `null` stands for.
  /// - Throws: ``SatchelError`` `syntaxError` for what is not JSON, with the column; `invalidValue` for what metadata has not,
  ///   such as arrays, `null`, and numbers beyond a Double; `invalidKey`. Each names the key path.
  /// - Complexity: O(bytes of the text).
  public init(json text: String, null: JSONNull = .refused) throws {
    try self.init(json: text.utf8, null: null)
  }

  /// Reads metadata from the bytes of a JSON object, as ``init(json:null:)-(String,_)`` does from a text.
  public init(json bytes: some Sequence<UInt8>, null: JSONNull = .refused) throws {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: Array(bytes))
    } catch {
      throw SatchelError(.syntaxError, "The text is not JSON", ["found": error.description])
    }
    do {
      if null == .refused { try value.refuseNull(at: "metadata") }
      guard let metadata = try value.metadata("metadata", FileHeader.indexVersion) else {
        throw LineError.type(of: "metadata", takes: "an object", found: value)
      }
      self = metadata
    } catch let error as LineError {
      throw SatchelError(.invalidValue, "The JSON text is no metadata", ["reason": error.reason])
    }
    try validate()
  }

  /// Returns the metadata as compact JSON, which ``init(json:null:)-(String,_)`` reads back as it is: 5.0 keeps its point, and a
  /// date is an object with the key `$date`.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue` if no store takes the metadata.
  public func json() throws -> String {
    try validate()
    var writer = JSONWriter()
    writer.metadata(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONValue {
  fileprivate func refuseNull(at path: String) throws(LineError) {
    switch self {
    case .null: throw .type(of: path, takes: "a value", found: self)
    case .object(let object):
      for member in object.members { try member.value.refuseNull(at: path + "." + [member.key].spelledPath) }
    case .bool, .integer, .whole, .number, .string, .array: break
    }
  }
}
