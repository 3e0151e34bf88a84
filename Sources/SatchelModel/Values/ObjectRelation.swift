/// A relation: a step from an object to a related one.
public enum ObjectRelation: UInt8, Hashable, Sendable {
  /// From a message to its conversation.
  case conversation
  /// From a conversation to its last message, which may not exist.
  case lastMessage
  /// From a part to its message or announcement.
  case message
  /// From a message or announcement to its sender's identity, which may not exist.
  case sender
  /// From a message or announcement to each of its parts.
  case parts

  package var name: String {
    switch self {
    case .conversation: "conversation"
    case .lastMessage: "lastMessage"
    case .message: "message"
    case .sender: "sender"
    case .parts: "parts"
    }
  }

  /// Makes the relation of a name; nil if none has it.
  package init?(named name: String) {
    switch name {
    case "conversation": self = .conversation
    case "lastMessage": self = .lastMessage
    case "message": self = .message
    case "sender": self = .sender
    case "parts": self = .parts
    default: return nil
    }
  }
}
