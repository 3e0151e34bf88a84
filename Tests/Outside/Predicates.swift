import Foundation
import Satchel
import SatchelFoundation

// The search of a chat, as a program asks it that knows Foundation's predicates: each criterion or none, in an order of its own.

func check(_ isRight: Bool, line: Int = #line) {
  guard isRight else { fatalError("line \(line) is wrong") }
}

let directory = FileManager.default.temporaryDirectory.appending(path: "predicates-\(UUID()).satchel")
defer { try? FileManager.default.removeItem(at: directory) }
let store = try MessageStore(at: directory, user: "alice")
let noon = Date(timeIntervalSince1970: 1_782_820_800)

try store.write { transaction in
  try transaction.createConversation(with: ["bob", "carol"], id: "lunch", metadata: ["title": "Lunch"])
  try transaction.createConversation(with: ["dave"], id: "trip")
  for number in 0..<12 {
    let parts: [MessagePart.Draft] =
      switch number % 3 {
      case 0: [.text("No. \(number)")]
      case 1: [.text("look"), .data([UInt8](repeating: 1, count: 10 * number), mimeType: "image/png")]
      default: []
      }
    try transaction.receive(
      parts, in: number < 8 ? "lunch" : "trip", from: ["bob", "carol"][number % 2],
      id: Message.ID("m\(number)"),
      position: Int64(number), sentAt: noon.addingTimeInterval(Double(number) * 60),
      receivedAt: noon.addingTimeInterval(Double(number) * 60 + (number.isMultiple(of: 4) ? 0 : 1)))
  }
  try transaction.markAsRead(Conversation.ID("trip"))
}

struct Search {
  var senders: Set<Identity.ID> = []
  var from = Date.distantPast
  var onlyUnread = false
  var minimumSize: Int64?

  /// What the evaluation of a predicate says is what the store says.
  func run() throws -> [Message.ID] {
    let (senders, from, onlyUnread) = (senders, from, onlyUnread)
    let anySender = senders.isEmpty
    let noSize = minimumSize == nil
    let size = minimumSize ?? 0
    let predicate = #Predicate<Message> { message in
      (anySender || senders.contains(message.sender)) && (message.sentAt ?? from) >= from
        && (!onlyUnread || message.isUnread)
        && (noSize || message.parts.contains { $0.mimeType == "image/png" && ($0.size ?? 0) >= size })
    }
    let query = try Query(predicate, sortBy: [SortDescriptor(\.sentAt, order: .reverse)])
    let evaluated = try store.fetch(Message.all).filter { try predicate.evaluate($0) }.map(\.id)
    let found = try store.identifiers(query)
    check(found == evaluated.reversed())
    check(try store.count(query) == found.count)
    return found
  }
}

check(try Search().run().count == 12)
check(try Search(senders: ["carol"]).run() == ["m11", "m9", "m7", "m5", "m3", "m1"])
check(try Search(senders: ["bob", "carol"], onlyUnread: true).run().count == 8)
check(try Search(from: noon.addingTimeInterval(300), minimumSize: 50).run() == ["m10", "m7"])

// Both kinds of predicates in one query, two properties, and what has no part.
let delayed = try Message.filter(#Predicate { $0.receivedAt != $0.sentAt })
  .filter { $0.conversation.metadata.title == "Lunch" }
check(try store.identifiers(delayed) == ["m1", "m2", "m3", "m5", "m6", "m7"])
check(try store.identifiers(Message.filter(#Predicate { $0.parts.isEmpty })) == ["m2", "m5", "m8", "m11"])
let quiet = try Query<Conversation>(
  #Predicate { $0.participants.count == 2 && !($0.lastMessage?.isUnread ?? true) },
  sortBy: [SortDescriptor(\.createdAt)])
check(try store.identifiers(quiet) == ["trip"])

// A list that stays current, of the same query.
let controller = store.controller(for: quiet)
try controller.execute()
let changes = controller.changes
try store.write { transaction in
  try transaction.receive([.text("Are you there?")], in: "trip", from: "dave", position: 12)
}
for await change in changes {
  check(change.after.isEmpty && change.difference.deletes.count == 1)
  break
}

// What the store has no meaning for is an error that names it.
do {
  _ = try Message.filter(#Predicate { ($0.position ?? 0) % 2 == 0 })
  fatalError("a remainder has no meaning for the store")
} catch let error as SatchelError where error.code == .notAvailable {
  print(error)
}
store.close()
print("predicates: done")
