import BenchmarkKit
import Engines
import Foundation
import Satchel

/// A copy of Satchel's store of which so many commits of a message each are only in the journal: its tail.
final class TailStore {
  /// Some fewer than the 16,000 after which the store takes them to its file by itself.
  static let most = 15_990

  let store: MessageStore
  let path: String
  /// How many commits the tail has: fewer than asked for where the store takes them to its file before there are so many.
  private(set) var commits = 0
  /// By how much the anonymous memory of this process grew as the tail did; nil where the system does not tell.
  private(set) var memory: Int?

  private let messages: Tail
  private let tool: SatchelTool
  private var next = 0

  /// Makes the copy and its tail. Commits are not synced one by one: what a tail costs is the same.
  init(_ data: LoadedDataset, commits wanted: Int) throws {
    path = data.path(ofCopy: "tail-\(wanted).satchel")
    tool = data.tool
    try data.copySatchel(to: path)
    var options = MessageStore.Options()
    options.durability = .relaxed
    store = try MessageStore(existingAt: path, options: options)
    messages = Tail(data.keys, "tail")
    // The first commits of a process go to the file.
    for _ in 0..<10 { try commit() }
    try store.checkpoint()
    try fill(wanted)
  }

  deinit {
    store.close()
    Files.remove(path)
  }

  private func commit() throws {
    try store.insert([messages.message(next)])
    next += 1
  }

  private func fill(_ wanted: Int) throws {
    var wanted = wanted
    while true {
      AnonymousMemory.giveBackFree()
      let before = AnonymousMemory.bytes(of: getpid())
      for _ in 0..<wanted { try commit() }
      commits = wanted
      if try tail() >= wanted {
        let after = AnonymousMemory.bytes(of: getpid())
        memory = before.flatMap { before in after.map { max(0, $0 - before) } }
        return
      }
      // Some of these commits have gone to the file. The messages differ in size.
      wanted = wanted * 9 / 10
      try store.checkpoint()
    }
  }

  /// How many commits are only in the journal, as another process sees it.
  private func tail() throws -> Int {
    struct Sequences: Decodable {
      let sequence: Int
      let dataSequence: Int
    }
    let found = try JSONDecoder().decode(Sequences.self, from: tool.run(["stats", path, "--format", "json"]))
    return found.sequence - found.dataSequence
  }
}
