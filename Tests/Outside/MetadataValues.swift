import Foundation
import Satchel

// Metadata as a program makes it of what its user has typed, keeps it as JSON, and shows it.

func check(_ isRight: Bool, line: Int = #line) {
  guard isRight else { fatalError("line \(line) is wrong") }
}

let directory = FileManager.default.temporaryDirectory.appending(path: "metadata-\(UUID()).satchel")
defer { try? FileManager.default.removeItem(at: directory) }
let store = try MessageStore(at: directory, user: "alice")

let (title, color, size) = ("Lunch", "red", "large")
let settings = ["language": "de", "timezone": "Europe/Zurich"]

let lunch = try store.write { transaction in
  try transaction.conversation(
    with: ["bob"],
    metadata: ["title": title, "theme": ["color": color, "font": ["size": size, "name": "Serif"]]])
}.id
try store.write { transaction in
  try transaction.mergeMetadata(["settings": Metadata(settings)], into: .conversation(lunch))
  try transaction.setMetadata(color, at: "accent", of: .conversation(lunch))
  try transaction.send([.text("Noon?")], to: lunch, metadata: Metadata(settings))
}

guard var draft = try store.conversation(lunch)?.metadata else { fatalError("the conversation is there") }
draft["theme.color"] = "blue"
draft["theme.font.size"] = nil
draft["accent"]?.append("dish")
try draft.set(3, at: "seats")
try store.write { [draft] in try $0.replaceMetadata(with: draft, of: .conversation(lunch)) }

func lines(_ metadata: Metadata, indent: String = "") -> [String] {
  metadata.flatMap { key, value in
    switch value {
    case .text(let text): [indent + key + ": " + text]
    case .integer, .number, .boolean, .date, .list, .reference: [indent + key + " is \(value)"]
    case .dictionary(let inner): [indent + key] + lines(inner, indent: indent + "  ")
    @unknown default: [indent + key]
    }
  }
}
guard let conversation = try store.conversation(lunch) else { fatalError("the conversation is there") }
let shown = lines(conversation.metadata)
check(
  shown == [
    "accent: reddish", "seats is 3", "settings", "  language: de", "  timezone: Europe/Zurich", "theme",
    "  color: blue",
    "  font", "    name: Serif", "title: Lunch",
  ])
check(try store.count(Message.filter { $0.metadata.language == "de" }) == 1)
check(try store.count(Conversation.filter { $0.metadata.seats.number >= 3 }) == 1)

let saved = try JSONEncoder().encode(conversation.metadata)
check(try JSONDecoder().decode(Metadata.self, from: saved) == conversation.metadata)
print("metadata: done")
