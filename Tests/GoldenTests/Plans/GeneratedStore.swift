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

/// A store with a generated chat.
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
  }

  deinit { store.close() }
}
