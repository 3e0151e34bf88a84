/// A step of a key path from a record to the object that one of its declared fields refers to.
public struct ReferenceStep: Hashable, Sendable {
  /// The name of the field.
  public let field: String
  /// The type of the objects that it refers to: see ``Reference/type``.
  public let target: String

  /// Whether it leads from a record to the identity of a user that the record itself names, such as its owner: not by a reference, and so
  /// by no index of references.
  package let isUser: Bool

  package init(field: String, target: String) {
    self.field = field
    self.target = target
    isUser = false
  }

  /// The step to the identity of a user that every record has; nil of other properties.
  /// - Parameter name: `owner`, `createdBy` or `updatedBy`.
  package init?(user name: String) {
    guard ["owner", "createdBy", "updatedBy"].contains(name) else { return nil }
    field = name
    target = Reference.identities
    isUser = true
  }

  /// The property of a record that has the id of the user; nil of a reference.
  package var user: ObjectProperty? { isUser ? try? ObjectProperty(path: [field], of: .records) : nil }

  /// The kind of the objects that it refers to.
  package var kind: ObjectKind {
    // These three are the types that are no record types.
    switch target {
    case Reference.conversations: .conversations
    case Reference.messages: .messages
    case Reference.identities: .identities
    default: .records
    }
  }
}

extension ObjectProperty {
  /// Makes a property of the object that some steps lead to from a record.
  package init(behind steps: some BidirectionalCollection<ReferenceStep>, _ property: ObjectProperty) {
    self = steps.reversed().reduce(property) { ObjectProperty([], .referenced($1, $0)) }
  }

  /// The property to look at for whether this one is missing. Participants and metadata as a whole are no one value, and only missing where a
  /// reference leads to no object that has them; and each object has an identifier.
  package var askedForPresence: ObjectProperty {
    guard field.type == .participants || field.type == .metadata else { return self }
    let (steps, property) = referenced
    return ObjectProperty(behind: steps, ObjectProperty(property.relations, .identifier))
  }

  /// The steps from a record to the object that has the property, and its property there; no steps for a property of the record itself.
  package var referenced: (steps: [ReferenceStep], property: ObjectProperty) {
    var (steps, property) = ([ReferenceStep](), self)
    while case .referenced(let step, let inner) = property.field {
      steps.append(step)
      property = inner
    }
    return (steps, property)
  }
}
