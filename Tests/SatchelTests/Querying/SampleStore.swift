import Foundation
import Satchel
import SatchelScenes
import TestSupport

/// A store with everything that makes orders hard: equal and missing values, long and odd texts, many conversations
/// with few messages and one with many, conversations that alice has left.
final class SampleStore: Sendable {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init(_ random: inout SeededGenerator, messages: Int = 300) throws {
    scratch = try Scratch()
    var generator = random
    try scratch.store.write { tx in
      for user in 0..<6 where user != 3 {
        try tx.put(
          Identity(
            userID: Self.users[user],
            displayName: user == 4 ? nil : ["Zed", "ann", "Ann", "Cafe\u{301}"][user % 4],
            emailAddress: generator.percent(50) ? "\(generator.below(3))@example.org" : nil,
            followed: generator.percent(50), metadata: generator.percent(50) ? ["team": "red"] : [:]))
      }
      for number in 0..<30 {
        let metadata: Metadata =
          switch generator.below(4) {
          case 0: [:]
          case 1: ["title": .text(Self.texts[generator.below(Self.texts.count)])]
          case 2: ["title": .text(Self.texts[generator.below(Self.texts.count)]), "theme": ["color": "red"]]
          default: ["theme": ["color": .text(Self.texts[generator.below(Self.texts.count)])]]
          }
        try tx.createConversation(
          with: Self.users.shuffled(using: &generator).prefix(generator.below(4)) + [],
          id: Self.conversation(number), createdAt: date(Double(generator.below(8))), metadata: metadata)
      }
      for number in 0..<messages {
        let conversation = generator.percent(60) ? 0 : generator.below(30)
        let id = try tx.receive(
          (0..<generator.below(4)).map { _ in Self.part(&generator) }, in: Self.conversation(conversation),
          from: Self.users[generator.below(Self.users.count)], id: Message.ID("m\(number)"),
          position: generator.percent(80) ? Int64(generator.below(60)) - 5 : nil,
          sentAt: date(Double(generator.below(40))), receivedAt: date(Double(generator.below(40)) / 8),
          isUnread: generator.percent(30),
          recipientStatus: generator.percent(50) ? ["bob": .read] : ["bob": .sent, "carol": .delivered],
          metadata: generator.percent(40)
            ? ["tag": .text(Self.texts[generator.below(Self.texts.count)])] : [:]
        )
        if generator.percent(15) { try tx.update(id) { $0.sentAt = .some(nil) } }
        if generator.percent(15) { try tx.update(id) { $0.receivedAt = .some(nil) } }
        if number < 5 || generator.percent(5) {
          try tx.announce(
            [Self.part(&generator)], from: Self.users[generator.below(Self.users.count)],
            sentAt: date(Double(generator.below(6))), isUnread: generator.percent(50))
        }
      }
      for number in [5, 11] { try tx.removeParticipants(["alice"], from: Self.conversation(number)) }
      try tx.delete(Self.conversation(7))
    }
    random = generator
  }

  static func conversation(_ number: Int) -> Conversation.ID { Conversation.ID("c/\(number)") }

  static let users: [Identity.ID] = ["alice", "bob", "carol", "dora", "12345", "caf\u{E9}", "cafe\u{301}"]

  static let texts = [
    "", "a", "A", "aa", "Caf\u{E9}", "Cafe\u{301}", "z", "😀", String(repeating: "long ", count: 90),
    String(repeating: "long ", count: 90) + "er",
  ]

  private static func part(_ random: inout SeededGenerator) -> MessagePart.Draft {
    switch random.below(5) {
    case 0: .text(texts[random.below(texts.count)])
    case 1: .text(String(repeating: "x", count: random.below(3000)), mimeType: "text/html")
    case 2: .data([UInt8](repeating: 1, count: random.below(1500)), mimeType: "image/png")
    case 3: .url("https://example.org", mimeType: "video/mp4", size: random.percent(50) ? 7 : nil)
    default: .data([], mimeType: "application/x-\(random.below(4))")
    }
  }
}
