public import SatchelModel
public import SatchelQuery
public import SatchelRecords

// The objects that have come with results, as values of the same snapshot.

extension Message {
  /// Returns an object that has come with the message: see ``Query/including(_:as:)``.
  ///
  /// ```swift
  /// message.included(\.sender)?.displayName ?? message.sender.rawValue
  /// ```
  /// - Parameter reference: The property that leads to it.
  /// - Returns: Nil if there is no such object, such as an identity of the sender, and if the query did not include it. What comes with a
  ///   message is not part of its coded form.
  /// - Complexity: O(1). Reads nothing.
  public func included<Reference: ReferenceField>(
    _ reference: (MessageFields) -> Reference
  ) -> Reference.Target? {
    // The type of a property of messages tells its path, so that a row costs no key path.
    if Reference.self == SenderFields.self {
      return envelope.includedSender.flatMap { $0 as? Reference.Target }
    }
    if Reference.self == ConversationReferenceFields.self {
      return envelope.includedConversation.flatMap { $0 as? Reference.Target }
    }
    return envelope.included(relations(of: reference(Message.fields))).flatMap { $0.object() }
  }

  /// Returns an object that has come with the message, by the name that ``Query/including(_:as:)`` has given it, or by the
  /// names of its path with dots between them.
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type of the object.
  /// - Returns: Nil if there is no such object, if the query did not include it, and if it is of another type.
  /// - Complexity: O(1). Reads nothing.
  public func included<Object: Queryable>(_ name: String, as type: Object.Type = Object.self) -> Object? {
    guard let path = envelope.inclusions?.path(named: name) else { return nil }
    return envelope.included(path[...]).flatMap { $0.object() }
  }
}

extension Announcement {
  /// Returns an object that has come with the announcement: see ``Query/including(_:as:)``.
  ///
  /// ```swift
  /// announcement.included(\.sender)?.displayName
  /// ```
  /// - Parameter reference: The property that leads to it.
  /// - Returns: Nil if there is no such object, such as an identity of the sender, and if the query did not include it. What
  ///   comes with an announcement is not part of its coded form.
  /// - Complexity: O(1). Reads nothing.
  public func included<Reference: ReferenceField>(
    _ reference: (AnnouncementFields) -> Reference
  ) -> Reference.Target? {
    // As of a message.
    if Reference.self == SenderFields.self {
      return envelope.includedSender.flatMap { $0 as? Reference.Target }
    }
    return envelope.included(relations(of: reference(Announcement.fields))).flatMap { $0.object() }
  }

  /// Returns an object that has come with the announcement, by the name that ``Query/including(_:as:)`` has given it, or by the
  /// names of its path with dots between them.
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type of the object.
  /// - Returns: Nil if there is no such object, if the query did not include it, and if it is of another type.
  /// - Complexity: O(1). Reads nothing.
  public func included<Object: Queryable>(_ name: String, as type: Object.Type = Object.self) -> Object? {
    guard let path = envelope.inclusions?.path(named: name) else { return nil }
    return envelope.included(path[...]).flatMap { $0.object() }
  }
}

extension Conversation {
  /// Returns an object that has come with the conversation: see ``Query/including(_:as:)``.
  ///
  /// ```swift
  /// conversation.included(\.lastMessage.sender)?.displayName
  /// ```
  /// - Parameter reference: The property that leads to it.
  /// - Returns: Nil if there is no such object, such as an identity of the sender, and if the query did not include it. The last message is
  ///   always here. What comes with a conversation is not part of its coded form.
  /// - Complexity: O(1). Reads nothing.
  public func included<Reference: ReferenceField>(
    _ reference: (ConversationFields) -> Reference
  ) -> Reference.Target? {
    // As of a message.
    if Reference.self == LastSenderFields.self {
      return lastMessage?.envelope.includedSender.flatMap { $0 as? Reference.Target }
    }
    return included(relations(of: reference(Conversation.fields))).flatMap { $0.object() }
  }

  /// Returns an object that has come with the conversation, by the name that ``Query/including(_:as:)`` has given it, or by the
  /// names of its path with dots between them.
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type of the object.
  /// - Returns: Nil if there is no such object, if the query did not include it, and if it is of another type.
  /// - Complexity: O(1). Reads nothing.
  public func included<Object: Queryable>(_ name: String, as type: Object.Type = Object.self) -> Object? {
    guard let path = inclusions?.path(named: name) else { return nil }
    return included(path[...]).flatMap { $0.object() }
  }
}

extension MessagePart {
  /// Returns an object that has come with the part: see ``Query/including(_:as:)``.
  ///
  /// ```swift
  /// part.included(\.message.sender)?.displayName
  /// ```
  /// - Parameter reference: The property that leads to it.
  /// - Returns: Nil if there is no such object, such as an identity of the sender, and if the query did not include it. What comes with a
  ///   part is not part of its coded form.
  /// - Complexity: O(1). Reads nothing.
  public func included<Reference: ReferenceField>(
    _ reference: (PartFields) -> Reference
  ) -> Reference.Target? {
    // As of a message.
    if Reference.self == SenderFields.self {
      return included?.message.envelope.includedSender.flatMap { $0 as? Reference.Target }
    }
    return included(relations(of: reference(MessagePart.fields))).flatMap { $0.object() }
  }

  /// Returns an object that has come with the part, by the name that ``Query/including(_:as:)`` has given it, or by the
  /// names of its path with dots between them.
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type of the object.
  /// - Returns: Nil if there is no such object, if the query did not include it, and if it is of another type.
  /// - Complexity: O(1). Reads nothing.
  public func included<Object: Queryable>(_ name: String, as type: Object.Type = Object.self) -> Object? {
    guard let path = included?.inclusions.path(named: name) else { return nil }
    return included(path[...]).flatMap { $0.object() }
  }
}

extension Record {
  /// Returns a record that has come with this one: see ``Query/including(_:as:)``.
  ///
  /// ```swift
  /// task.included(\.list)?["title"]
  /// ```
  /// - Parameter reference: The field that leads to it, such as `\.list` or `\.list.area`.
  /// - Returns: Nil if there is no such record, if the query did not include it, and if the field refers to an object of another kind: see
  ///   ``included(_:as:)``. What comes with a record is not part of its coded form, and is not saved with it.
  /// - Complexity: O(1). Reads nothing.
  public func included(_ reference: (RecordFields) -> FieldTypes.RecordValue) -> Record? {
    included(reference(Record.fields).propertyPath.joined(separator: "."))
  }

  /// Returns an object that has come with the record, by the name that ``Query/including(_:as:)`` has given it, or by the
  /// names of its path with dots between them.
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type of the object: a ``Record``, a ``Conversation``, a ``Message`` or an ``Identity``.
  /// - Returns: Nil if there is no such object, if the query did not include it, and if it is of another type.
  /// - Complexity: O(1). Reads nothing.
  public func included<Object: Queryable>(_ name: String, as type: Object.Type = Object.self) -> Object? {
    switch inclusions?.object(named: name) {
    case nil: nil
    case .record(let record)?: record as? Object
    case .conversation(let conversation)?: conversation as? Object
    case .message(let message)?: message as? Object
    case .identity(let identity)?: identity as? Object
    }
  }
}

extension FieldTypes.RecordValue: ReferenceField {
  /// What the field leads to, if it is a record.
  public typealias Target = Record
}

extension IncludedObject {
  /// Returns the object as one of a type; nil if it is of another one.
  fileprivate func object<Object>() -> Object? {
    switch self {
    case .identity(let identity): identity as? Object
    case .conversation(let conversation): conversation as? Object
    case .message(let message): message as? Object
    }
  }
}

/// Returns the relations of a property's path, as far as its names are relations.
private func relations(of reference: some ReferenceField) -> ArraySlice<ObjectRelation> {
  reference.propertyPath.compactMap { ObjectRelation(named: $0) }[...]
}
