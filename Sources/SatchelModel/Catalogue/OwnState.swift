/// What a conversation is to the store's user, as the properties behind the name `my`: those of the record that the conversation's
/// identifier and the user name.
package enum OwnState {
  /// The name that leads to it.
  package static let name = "my"
  /// The type of the records.
  package static let recordType = "_participation"
  /// The step from a conversation to the record.
  package static let step = ReferenceStep(field: name, target: recordType)

  /// The fields that are true or false: false where nothing is said.
  package static let flags = ["isArchived", "isHidden", "isMuted", "isPinned"]
  /// The other fields that say what the conversation is to the user.
  package static let values = [
    "archivedAt", "joinedAt", "lastReadPosition", "mutedUntil", "pinnedAt", "role",
  ]

  /// Returns the field of the record that a path leads to; nil if it leads to none.
  package static func field(_ path: [String], of kind: ObjectKind) -> String? {
    guard let field = (try? property(path, of: kind))?.field, case .referenced(_, let inner) = field
    else { return nil }
    return inner.field.keyPath?.keys.first
  }

  /// Returns the property of a conversation, or of that of a message, behind the name `my`; nil if a path does not lead there.
  /// - Throws: ``SatchelError`` `unqueryableProperty`, which names the path and the names that are possible.
  package static func property(_ path: [String], of kind: ObjectKind) throws -> ObjectProperty? {
    switch kind {
    case .conversations where path.first == name: return try property(path.dropFirst(), path)
    case .messages where path.count > 1 && path[0] == ObjectRelation.conversation.name && path[1] == name:
      return try property(path.dropFirst(2), path).behind(.conversation)
    default: return nil
    }
  }

  /// Returns where the property stands that a path leads to in which the name `my` leads nowhere, for errors; nil of other paths.
  static func expected(insteadOf path: [String], of kind: ObjectKind) -> String? {
    guard let start = path.dropLast().firstIndex(of: name) else { return nil }
    let own = Array(path[start...])
    switch kind {
    case .conversations where path != own: return own.spelledPath
    case .messages where path != [ObjectRelation.conversation.name] + own:
      return ([ObjectRelation.conversation.name] + own).spelledPath
    default: return "in queries: my.NAME of conversations, conversation.my.NAME of messages"
    }
  }

  private static func property(_ names: ArraySlice<String>, _ path: [String]) throws -> ObjectProperty {
    guard names.count == 1, let name = names.first, (flags + values).contains(name) else {
      throw SatchelError(
        .unqueryableProperty, "There is no such queryable property",
        [
          "property": path.spelledPath,
          "available": (flags + values).sorted().map { Self.name + "." + $0 }.joined(separator: " "),
        ])
    }
    return ObjectProperty([], .referenced(step, ObjectProperty([], .recordValue(MetadataPath([name])))))
  }
}

extension ReferenceStep {
  /// Whether the reference follows from a conversation's own identifier, and is in no field.
  package var isOwnState: Bool { self == OwnState.step }
}

extension ObjectProperty {
  /// Whether it is a property behind `my`, of a conversation or of that of a message.
  package var isOwnState: Bool {
    if case .referenced(let step, _) = field { step.isOwnState } else { false }
  }

  /// Whether it is one of those behind `my` that are false where nothing is said.
  package var isOwnFlag: Bool {
    guard case .referenced(let step, let inner) = field, step.isOwnState,
      let name = inner.field.keyPath?.keys.first
    else { return false }
    return OwnState.flags.contains(name)
  }
}
