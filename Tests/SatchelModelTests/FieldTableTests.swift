import SatchelModel
import Testing

/// The table of fields, and what follows from it.
@Suite struct FieldTableTests {
  private static let scopes: [(ObjectKind, [String], FieldDescription.Scopes)] = [
    (.conversations, [], .conversation), (.messages, [], .message), (.announcements, [], .announcement),
    (.parts, [], .part), (.identities, [], .identity), (.conversations, ["lastMessage"], .lastMessage),
    (.messages, ["parts"], .partOfMessage), (.announcements, ["parts"], .partOfMessage),
  ]

  @Test func eachNameMeansItsFieldWhereItMayStand() throws {
    for field in ObjectField.named {
      let description = field.description
      #expect(field.path == [description.name])
      #expect(!description.scopes.isEmpty, "\(field)")
      for (kind, prefix, scope) in Self.scopes {
        let property = try? ObjectProperty(path: prefix + field.path, of: kind)
        // A user id is a field of its own of an identity, and a name behind a sender.
        #expect(
          (property?.field == field) == description.scopes.contains(scope), "\(kind) \(prefix) \(field)")
        if let property { #expect(property.path == prefix + field.path) }
      }
    }
  }

  @Test func noNameStandsForTwoFields() {
    for (_, _, scope) in Self.scopes {
      let names = ObjectField.named.filter { $0.description.scopes.contains(scope) }.map(\.description.name)
      #expect(Set(names).count == names.count, "\(names)")
    }
  }

  /// The log names a property for each field that can change, and that property is asked for by the field.
  @Test func theLogAndTheFieldsAgree() throws {
    for logged in LoggedProperty.allCases where logged != .identifier {
      guard let property = logged.property else { continue }
      let description = property.field.description
      #expect(
        (property.relations == [.lastMessage] ? description.loggedOfLast : description.logged) == logged)
      let kind: ObjectKind = property.relations == [.parts] ? .messages : .conversations
      #expect(property.logged(of: kind).contains(logged))
    }
    for field in ObjectField.named {
      let description = field.description
      #expect((description.loggedOfLast != nil) == description.scopes.contains(.lastMessage), "\(field)")
    }
  }

  @Test func everyNumberOfTheLogHasItsBit() {
    #expect(LoggedProperties.all.properties == LoggedProperty.allCases)
    #expect(LoggedProperty.allCases.allSatisfy { $0.rawValue < 64 })
    #expect(Set(LoggedProperty.allCases.map(\.rawValue)).count == LoggedProperty.allCases.count)
  }
}
