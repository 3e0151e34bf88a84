import Foundation
import Satchel
import SatchelResponses
import SatchelScenes
import Testing

/// Records of what is said to messages and of conversations, by any names, and their lines in an interchange file.
enum Said {
  static let header = #"{"kind":"header","format":"satchel-interchange","version":4}"#

  static func participation(_ conversation: String, _ user: String) -> Record {
    Record(
      id: Record.ID(
        type: "_participation", name: "\(conversation.replacing("/", with: "%2F"))/\(user)"),
      [
        "conversation": .reference(Conversation.ID(conversation)), "user": .reference(Identity.ID(user)),
        "isPinned": true, "pinnedAt": .date(Timestamp(date(1))),
      ])
  }

  static func reaction(_ message: String, _ user: String) -> Record {
    Record(
      id: Record.ID(type: "_reaction", name: "\(message)/👍/\(user)"),
      [
        "message": .reference(Message.ID(message)), "user": .reference(Identity.ID(user)), "kind": "👍",
        "state": "sent",
      ])
  }

  static func reply(_ message: String, to parent: String) -> Record {
    Record(
      id: Record.ID(type: "_reply", name: message),
      ["message": .reference(Message.ID(message)), "parent": .reference(Message.ID(parent))])
  }

  static func line(_ record: Record) throws -> String {
    let fields = try record.fields.map { key, value in
      let text: String
      switch value {
      case .reference(let reference): text = #"{"$reference":["\#(reference.type)","\#(reference.name)"]}"#
      case .date: text = #"{"$date":"2025-01-01T00:00:01Z"}"#
      case .boolean(let isTrue): text = "\(isTrue)"
      default: text = "\"\(try #require(value.textValue))\""
      }
      return "\"\(key)\":\(text)"
    }
    return
      #"{"kind":"record","type":"\#(record.id.type)","identifier":"\#(record.id.name)","fields":{\#(fields.joined(separator: ","))}}"#
  }
}
