/// The names of the records of participations: the conversation's identifier and the user id, with a slash between them, both written as in
/// the names of reactions. So there is one of a user in a conversation, and the names of a type, which are sorted by their bytes, have
/// those of one conversation side by side.
package enum ParticipationName {
  /// Returns the name of a participation.
  package static func name(conversation: String, user: String) -> String {
    String(decoding: bytes(conversation: conversation.utf8, user: user.utf8), as: UTF8.self)
  }

  /// Returns the bytes of the name of a participation.
  package static func bytes(conversation: some Sequence<UInt8>, user: some Sequence<UInt8>) -> [UInt8] {
    prefix(ofConversation: conversation) + ReactionName.encoded(user)
  }

  /// Returns what the names of all participations in a conversation begin with, and no others.
  package static func prefix(ofConversation conversation: some Sequence<UInt8>) -> [UInt8] {
    ReactionName.encoded(conversation) + [ReactionName.separator]
  }

  /// Returns the identifier of the conversation and the user id of a name; nil if it is none of a participation.
  package static func parts(of name: [UInt8]) -> (conversation: [UInt8], user: [UInt8])? {
    guard let end = name.firstIndex(of: ReactionName.separator) else { return nil }
    return (ReactionName.decoded(name[..<end]), ReactionName.decoded(name[(end + 1)...]))
  }
}
