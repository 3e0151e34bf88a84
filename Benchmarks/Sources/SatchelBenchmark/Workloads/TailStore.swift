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
  private var next = 0

  /// Makes the copy and its tail. Commits are not synced one by one: what a tail costs is the same.
  init(_ data: LoadedDataset, commits wanted: Int) throws {
    path = data.path(ofCopy: "tail-\(wanted).satchel")
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
      commits = 0
      AnonymousMemory.giveBackFree()
      let before = AnonymousMemory.bytes(of: getpid())
      let untouched = Files.modified(path + "/data.mdb")
      while commits < wanted, Files.modified(path + "/data.mdb") == untouched {
        try commit()
        commits += 1
      }
      if Files.modified(path + "/data.mdb") == untouched {
        let after = AnonymousMemory.bytes(of: getpid())
        memory = before.flatMap { before in after.map { max(0, $0 - before) } }
        return
      }
      // The last of these commits took all to the file. The messages differ in size.
      wanted = commits * 9 / 10
      try store.checkpoint()
    }
  }
}
