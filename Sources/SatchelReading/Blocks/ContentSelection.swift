internal import SatchelCoding
internal import SatchelModel

/// Which contents that are stored outside its record come with a message. Links always do, and the preview of the first
/// text.
package enum ContentSelection: Sendable {
  /// The first text of any length, and every other content of up to `MessagePart.inlineBytes`.
  case ofMessage
  /// Every content of up to `MessagePart.inlineBytes`: a list of conversations shows the beginnings of their last messages.
  case ofLastMessage
  /// None.
  case none

  /// What comes with a message that is itself asked for.
  package init(hasContents: Bool) { self = hasContents ? .ofMessage : .none }

  /// What comes with the last message of a conversation.
  package var ofLast: ContentSelection { self == .none ? .none : .ofLastMessage }

  /// Whether the content of a part is part of the message value.
  func holds(_ part: PartView, isLeadingText: Bool) -> Bool {
    if !part.isStored || part.kind == .url { return true }
    return switch self {
    case .ofMessage: isLeadingText || part.length <= UInt64(MessagePart.inlineBytes)
    case .ofLastMessage: part.length <= UInt64(MessagePart.inlineBytes)
    case .none: false
    }
  }
}
