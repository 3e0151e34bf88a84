import ChatGeneration
import Satchel
import SatchelInterchange

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A store with a generated chat, whose messages have metadata.
final class GeneratedStore {
  let store: MessageStore
  private let directory: ScratchDirectory

  init(messages: Int, seed: UInt64) throws {
    directory = try ScratchDirectory()
    var chat = Data()
    try ChatGenerator(messages: messages, seed: seed).generate { chat.append(contentsOf: $0) }
    let file = URL(fileURLWithPath: directory.path + "/chat.jsonl")
    try chat.write(to: file)
    let handle = open(file.path, O_RDONLY)
    defer { close(handle) }
    _ = try Importer(.descriptor(handle)).run(
      into: directory.path + "/store", user: ChatGenerator.authenticatedUser)
    store = try MessageStore(existingAt: directory.path + "/store")
    let ids = try store.identifiers(Message.all)
    try store.write { transaction in
      for (number, id) in ids.enumerated() {
        try transaction.replaceMetadata(with: Self.metadata(number), of: .message(id))
      }
    }
  }

  /// What a server calls the message; of every tenth a task's state.
  private static func metadata(_ number: Int) -> Metadata {
    var metadata: Metadata = ["serverID": .text("s-\(10_000 + number)")]
    guard number % 10 == 0 else { return metadata }
    metadata["state"] = number % 30 == 0 ? "open" : "done"
    try? metadata.set(.integer(Int64(number % 7)), at: "priority")
    return metadata
  }

  deinit { store.close() }
}
