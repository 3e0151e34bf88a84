extension SatchelError {
  /// The existing conversation, in an error with ``Code/distinctConversationExists``; otherwise nil.
  public var existingConversation: Conversation.ID? {
    code == .distinctConversationExists ? context["conversation"].map { Conversation.ID($0) } : nil
  }
}
