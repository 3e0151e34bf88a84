import SatchelText

/// Which objects come with an object: a tree of the relations that lead to them.
package struct Inclusions: Hashable, Sendable {
  /// A relation, and what comes with the object that it leads to.
  package struct Step: Hashable, Sendable {
    package let relation: ObjectRelation
    /// The names that the program has given this object.
    package fileprivate(set) var names: [String] = []
    package fileprivate(set) var next = Inclusions()
  }

  package private(set) var steps: [Step] = []
  /// Which responses to a message come with it, or whether it comes with a conversation what that is to the store's user.
  package var responses: ResponseKinds = []

  package init() {}

  package var isEmpty: Bool { steps.isEmpty && responses.isEmpty }

  /// The step along a relation; nil if its object does not come along.
  package subscript(relation: ObjectRelation) -> Step? { steps.first { $0.relation == relation } }

  /// Adds the object that a path of relations leads to, and those on the way to it.
  /// - Parameter name: The program's name for it; nil for none.
  package mutating func insert(_ path: ArraySlice<ObjectRelation>, name: String?) {
    guard let relation = path.first else { return }
    let index =
      steps.firstIndex { $0.relation == relation }
      ?? {
        steps.append(Step(relation: relation))
        return steps.count - 1
      }()
    if path.count > 1 {
      steps[index].next.insert(path.dropFirst(), name: name)
    } else if let name, !steps[index].names.contains(where: { UTF8Order.areEqual($0, name) }) {
      steps[index].names.append(name)
    }
  }

  /// Returns the relations that lead to the object of a name: one that the program has given, or the names of the relations
  /// with dots between them. Nil if no object that comes along has this name.
  package func path(named name: String) -> [ObjectRelation]? {
    ownPath(named: name) ?? plainPath(named: name)
  }

  private func ownPath(named name: String) -> [ObjectRelation]? {
    for step in steps {
      if step.names.contains(where: { UTF8Order.areEqual($0, name) }) { return [step.relation] }
      if let rest = step.next.ownPath(named: name) { return [step.relation] + rest }
    }
    return nil
  }

  private func plainPath(named name: String) -> [ObjectRelation]? {
    for step in steps {
      let own = step.relation.name
      if name == own { return [step.relation] }
      if name.hasPrefix(own + "."),
        let rest = step.next.plainPath(named: String(name.dropFirst(own.count + 1)))
      {
        return [step.relation] + rest
      }
    }
    return nil
  }
}

/// The objects that come with a message or an announcement.
package struct IncludedObjects: Hashable, Sendable {
  /// What was asked for.
  package let inclusions: Inclusions
  /// The sender's identity; nil if there is none, or if it does not come along.
  package let sender: Identity?
  /// The conversation; nil if it does not come along.
  package let conversation: Conversation?
  /// What others say to it; nil if that does not come along.
  package let responses: IncludedResponses?

  package init(
    _ inclusions: Inclusions, sender: Identity?, conversation: Conversation?,
    responses: IncludedResponses? = nil
  ) {
    self.inclusions = inclusions
    self.sender = sender
    self.conversation = conversation
    self.responses = responses
  }
}

/// The message of a part, which comes with the part. Parts of one message share it.
package final class IncludedMessage: Hashable, Sendable {
  /// What was asked to come with the part.
  package let inclusions: Inclusions
  package let message: Message

  package init(_ inclusions: Inclusions, _ message: Message) {
    self.inclusions = inclusions
    self.message = message
  }

  package static func == (left: IncludedMessage, right: IncludedMessage) -> Bool {
    left === right || left.message == right.message && left.inclusions == right.inclusions
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(message) }
}

/// An object that comes with another one.
package enum IncludedObject: Sendable {
  case identity(Identity)
  case conversation(Conversation)
  case message(Message)
}

extension Envelope {
  /// Returns the object that a path of relations leads to; nil if there is none, or if it does not come along.
  package func included(_ path: ArraySlice<ObjectRelation>) -> IncludedObject? {
    switch path.first {
    case .sender? where path.count == 1: includedSender.map { .identity($0) }
    case .conversation?:
      includedConversation.flatMap { path.count == 1 ? .conversation($0) : $0.included(path.dropFirst()) }
    default: nil
    }
  }
}

extension Conversation {
  /// Returns the object that a path of relations leads to; nil if there is none, or if it does not come along. The last
  /// message always does.
  package func included(_ path: ArraySlice<ObjectRelation>) -> IncludedObject? {
    guard path.first == .lastMessage, let lastMessage else { return nil }
    return path.count == 1 ? .message(lastMessage) : lastMessage.envelope.included(path.dropFirst())
  }
}

extension MessagePart {
  /// Returns the object that a path of relations leads to; nil if it does not come along.
  package func included(_ path: ArraySlice<ObjectRelation>) -> IncludedObject? {
    guard path.first == .message, let message = included?.message else { return nil }
    return path.count == 1 ? .message(message) : message.envelope.included(path.dropFirst())
  }
}
