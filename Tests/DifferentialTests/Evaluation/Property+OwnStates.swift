extension Property where Object == Snapshot.Conversation {
  /// What a conversation is to the store's user, behind `my`. What is true or false is false where nothing is said, anything else is missing.
  static func ownState(_ path: ArraySlice<ByteString>, in snapshot: Snapshot) -> Property? {
    guard snapshot.types[Responses.participation] != nil, path.count == 2, path.first == "my",
      let name = path.last, (Responses.flags + Responses.values).contains(name)
    else { return nil }
    let field = Property<ModelRecord>.metadata(at: path.dropFirst(), \.fields)
    let property = field?.through { (conversation: Object) in conversation.own }
    guard let property, Responses.flags.contains(name) else { return property }
    return Property(type: .custom, isOptional: true, dictionary: property.dictionary) { conversation in
      let values = property.read(conversation)
      return values.isEmpty ? [.boolean(false)] : values
    }
  }
}

extension Property where Object == Snapshot.Message {
  /// What the conversation of a message is to the store's user.
  static func ownState(_ path: ArraySlice<ByteString>, in snapshot: Snapshot) -> Property? {
    guard path.first == "conversation" else { return nil }
    return Property<Snapshot.Conversation>.ownState(path.dropFirst(), in: snapshot)?
      .through { $0.conversation }
  }
}
