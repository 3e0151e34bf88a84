import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery

/// The properties that decide which objects are results of a question, and in which order. By them a live query knows
/// which changes do not concern it.
struct Dependencies: Sendable {
  /// The properties of the objects' own records; for parts, of the records of their messages.
  private(set) var own: LoggedProperties = []
  /// The properties of the conversations that messages belong to.
  private(set) var conversation: LoggedProperties = []
  /// True if the names of senders matter.
  private(set) var senderName = false
  /// True if the question names a conversation by its identifier.
  private(set) var conversationIdentifier = false
  /// What records are asked for beyond themselves: the properties of objects that they refer to, each once. Of conversations and messages,
  /// what the conversations are to the store's user.
  private(set) var referenced: [ObjectProperty] = []

  /// True if relations between users matter.
  let relations: Bool

  init(_ question: Question) {
    relations = question.condition.asksForRelations
    let kind = question.kind
    // An edit adds parts and takes them away, whatever is asked of them.
    if kind == .parts { own.insert(.contents) }
    for property in question.condition.properties { add(property, of: kind) }
    for key in question.sort { add(key.property, of: kind) }
  }

  /// Adds all properties of an object's own value, because a closure may read any of them.
  mutating func addOwnValue() { own = .all }

  private mutating func add(_ property: ObjectProperty, of kind: ObjectKind) {
    if property.isOwnState {
      if !referenced.contains(property) { referenced.append(property) }
      return
    }
    switch kind {
    case .parts:
      if let inner = property.stripping(.message) {
        add(inner, of: .messages)
      } else {
        own.formUnion(property.logged(of: kind))
      }
    case .messages, .announcements:
      if let inner = property.stripping(.conversation) {
        if inner == ObjectProperty([], .identifier) { conversationIdentifier = true }
        conversation.formUnion(inner.logged(of: .conversations))
      } else if property == ObjectProperty([], .conversation) {
        conversationIdentifier = true
      } else if property.relations == [.sender] {
        senderName = true
        own.insert(.sender)
      } else {
        own.formUnion(property.logged(of: kind))
      }
    case .records:
      if case .referenced(let step, _) = property.field {
        if !referenced.contains(property) { referenced.append(property) }
        if let user = step.user { own.formUnion(user.logged(of: kind)) }
      }
      own.formUnion(property.logged(of: kind))
    case .conversations, .identities: own.formUnion(property.logged(of: kind))
    }
  }
}

extension LoggedChange {
  /// Returns whether the change may make an object a result, end its being one, or move it, if that depends on the
  /// given properties.
  func concerns(_ dependencies: LoggedProperties) -> Bool {
    action != .updated || properties.contains(.isVisible) || !properties.isDisjoint(with: dependencies)
  }
}
