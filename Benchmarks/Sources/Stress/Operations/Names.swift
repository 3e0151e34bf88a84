import Satchel

/// The names that numbers have in the store.
enum Names {
  static let user = "alice"
  /// How many users there are; number 0 is the store's.
  static let users = 40
  /// The identity whose metadata has the seed and the number of the last operation.
  static let progress = Identity.ID("stress")

  static func user(_ number: Int) -> Identity.ID {
    number == 0 ? Identity.ID(user) : Identity.ID("user-\(number)")
  }

  static func conversation(_ number: Int) -> Conversation.ID { Conversation.ID("c\(number)") }

  static func message(_ number: Int) -> Message.ID { Message.ID("m\(number)") }

  static func record(_ name: RecordName) -> Record.ID {
    Record.ID(type: RecordTypes.name(name.type), name: "r\(name.number)")
  }

  static func announcement(_ number: Int) -> Announcement.ID { Announcement.ID("a\(number)") }
}
