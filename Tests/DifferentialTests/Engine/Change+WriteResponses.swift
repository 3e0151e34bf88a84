import Satchel
import SatchelModel
import SatchelResponses

/// Changes of reactions, replies and participations by the functions that the library has for them.
extension Change {
  /// Makes or changes such a record, where its function says the same as the record's fields: of what the user sees, under the identifier
  /// that never changes.
  /// - Returns: The record as it is then; nil if nothing was done.
  static func say(
    _ content: RecordContent, isNew: Bool, _ transaction: WriteTransaction
  ) throws -> Record? {
    let id = content.id
    guard content.isSaved, case .dictionary(let fields) = content.fields, Responses.types.contains(id.type),
      Responses.expectedName(of: id.type, fields) == id.name,
      // Fields of the program's own are none of theirs.
      fields.keys.allSatisfy(Responses.declared(id.type).contains)
    else { return nil }
    let isSaid =
      switch id.type {
      case Responses.reaction: try react(fields, isNew: isNew, transaction)
      case Responses.reply: try answer(fields, transaction)
      default: try setParticipation(content, fields, transaction)
      }
    return isSaid ? try transaction.record(id.reference) : nil
  }

  private static func react(
    _ fields: [ByteString: MetadataTree], isNew: Bool, _ transaction: WriteTransaction
  ) throws -> Bool {
    guard let message = try seenMessage(fields["message"], transaction), message.deletedAt == nil,
      case .text(let kind)? = fields["kind"], case .reference(let user)? = fields["user"],
      case .date(let date)? = fields["date"]
    else { return false }
    let by = Identity.ID(user.name.string)
    guard isNew else {
      var remoteID: String?
      if case .text(let name)? = fields["remoteID"] { remoteID = name.string }
      try transaction.confirmReaction(to: message.id, with: kind.string, by: by, remoteID: remoteID)
      return true
    }
    // Pending are those of the store's user alone, who is not named then.
    let isPending = fields["state"] == .text("pending")
    guard !isPending || user.name == ByteString(SampleData.user) else { return false }
    try transaction.react(
      to: message.id, with: kind.string, by: isPending ? nil : by,
      at: SatchelModel.Timestamp(microseconds: date).date)
    return true
  }

  private static func answer(
    _ fields: [ByteString: MetadataTree], _ transaction: WriteTransaction
  ) throws -> Bool {
    guard let message = try seenMessage(fields["message"], transaction),
      let parent = try seenMessage(fields["parent"], transaction), parent.conversation == message.conversation
    else { return false }
    try transaction.setParent(parent.id, of: message.id)
    return true
  }

  private static func setParticipation(
    _ content: RecordContent, _ fields: [ByteString: MetadataTree], _ transaction: WriteTransaction
  ) throws -> Bool {
    guard case .reference(let name)? = fields["conversation"], case .reference(let user)? = fields["user"],
      // A flag that is false is no field by this function, and of whom nothing is said there is no record.
      fields.count > 2, !fields.values.contains(.boolean(false)),
      let conversation = try transaction.read({ try $0.conversation(Conversation.ID(name.name.string)) }),
      ByteString(conversation.id.rawValue) == name.name
    else { return false }
    let wanted = try Record(id: content.id.reference, content.metadata).value(as: Participation.self)
    try transaction.setParticipation(of: Identity.ID(user.name.string), in: conversation.id) { $0 = wanted }
    return true
  }

  /// Takes a reaction back, or what a message answers, by the function that is for it.
  /// - Returns: Whether it has done so.
  static func takeBack(_ id: ModelReference, _ transaction: WriteTransaction) throws -> Bool {
    guard [Responses.reaction, Responses.reply].contains(id.type),
      let record = try transaction.record(id.reference), let name = record["message"]?.referenceValue,
      let message = try seenMessage(.reference(ModelReference(name)), transaction)
    else { return false }
    guard id.type == Responses.reaction else {
      try transaction.setParent(nil, of: message.id)
      return true
    }
    let reaction = try record.value(as: Reaction.self)
    return try transaction.removeReaction(from: message.id, with: reaction.kind, by: reaction.user)
  }

  /// The message that the user sees under the name that never changes, which is its only one.
  private static func seenMessage(
    _ reference: MetadataTree?, _ transaction: WriteTransaction
  ) throws -> Message? {
    guard case .reference(let reference)? = reference,
      let message = try transaction.read({ try $0.message(Message.ID(reference.name.string)) }),
      ByteString(message.id.rawValue) == reference.name, message.remoteID == nil
    else { return nil }
    return message
  }
}

extension ModelReference {
  fileprivate init(_ reference: Reference) {
    self.init(type: ByteString(reference.type), name: ByteString(reference.name))
  }
}
