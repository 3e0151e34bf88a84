import SatchelModel

// Conversions to the types of the format's keys. `null` gives nil, as an absent key does.
extension JSONValue {
  package func text(_ key: @autoclosure () -> String) throws(LineError) -> String? {
    switch self {
    case .null: return nil
    case .string(let text): return text
    default: throw .type(of: key(), takes: "a text", found: self)
    }
  }

  func bool(_ key: @autoclosure () -> String) throws(LineError) -> Bool? {
    switch self {
    case .null: return nil
    case .bool(let value): return value
    default: throw .type(of: key(), takes: "true or false", found: self)
    }
  }

  /// Returns the value of a field; `null` stands for a missing value, and for false.
  func value(of field: ObjectField, _ key: @autoclosure () -> String) throws(LineError) -> FieldValue {
    switch field.type {
    case .boolean: .boolean(try bool(key()) ?? false)
    case .date: .date(try date(key()))
    case .enumeration(let enumeration): .choice(try number(of: enumeration, key()))
    default: .text(try text(key()))
    }
  }

  /// Returns the number of a value of an enumeration.
  private func number(
    of enumeration: Enumeration, _ key: @autoclosure () -> String
  ) throws(LineError) -> UInt8? {
    switch self {
    case .null: return nil
    case .string(let name):
      guard let number = enumeration.number(of: name) else {
        throw LineError("\(key()) takes \(enumeration.choices(inQuotes: "")), not \"\(name)\"")
      }
      return number
    default: throw .type(of: key(), takes: enumeration.choices(inQuotes: ""), found: self)
    }
  }

  func integer(_ key: @autoclosure () -> String) throws(LineError) -> Int64? {
    switch self {
    case .null: return nil
    case .integer(let value), .whole(let value, _): return value
    case .number(let number):
      throw LineError("\(key()) takes a whole number of 64 bits, not \(number.literal.prefix(40))")
    default: throw .type(of: key(), takes: "a whole number of 64 bits", found: self)
    }
  }

  func date(_ key: @autoclosure () -> String) throws(LineError) -> Timestamp? {
    switch self {
    case .null: return nil
    case .string(let text):
      do {
        return Timestamp(microseconds: try RFC3339.parse(text))
      } catch {
        throw LineError("\(key()) takes a date such as 2024-09-14T02:11:00Z: \(error)")
      }
    default: throw .type(of: key(), takes: "a date such as \"2024-09-14T02:11:00Z\"", found: self)
    }
  }

  func object(_ key: @autoclosure () -> String) throws(LineError) -> JSONObject? {
    switch self {
    case .null: return nil
    case .object(let object): return object
    default: throw .type(of: key(), takes: "an object", found: self)
    }
  }

  func array(_ key: @autoclosure () -> String) throws(LineError) -> [JSONValue]? {
    switch self {
    case .null: return nil
    case .array(let elements): return elements
    default: throw .type(of: key(), takes: "an array", found: self)
    }
  }

  func userIDs(_ key: @autoclosure () -> String) throws(LineError) -> [Identity.ID]? {
    guard let elements = try array(key()) else { return nil }
    var users: [Identity.ID] = []
    users.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard case .string(let user) = element else {
        throw .type(of: "\(key())[\(index)]", takes: "a user id, which is a text", found: element)
      }
      users.append(Identity.ID(user))
    }
    return users
  }

  /// Returns a status, or nil for `null`: in an update `null` removes the user, elsewhere it means absent.
  func recipientStatus(_ key: @autoclosure () -> String) throws(LineError) -> RecipientStatus? {
    try number(of: .recipientStatus, key()).flatMap(RecipientStatus.init(rawValue:))
  }

  func transferStatus(_ key: @autoclosure () -> String) throws(LineError) -> TransferStatus? {
    try number(of: .transferStatus, key()).flatMap(TransferStatus.init(rawValue:))
  }
}
