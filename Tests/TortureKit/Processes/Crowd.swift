internal import Dispatch
internal import Satchel
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writers and readers of one store who can tell whether what they read is exactly what one commit left.
///
/// Each commit counts itself in three places and in a record, sends one message, reads the one before, deletes an old one, saves a record, deletes an
/// old one, and mixes a digest of its number into the digest of all commits before it. Whatever a reader sees of two commits does not add up.
package struct Crowd: Sendable {
  /// How many messages the store keeps, and over how many conversations the commits are counted.
  private static let kept = 200
  private static let conversations = 7
  private static let total = Identity.ID("total")
  private static let commit = RecordType("commit") { $0.integer("n") }

  private let store: MessageStore
  private let seed: UInt64

  package init(_ path: String, seed: UInt64) throws {
    var options = MessageStore.Options()
    options.journal = .short(seed: seed)
    options.journal.waitsForCheckpoint = false
    store = try MessageStore(path: path, user: "me", options: options)
    self.seed = seed
  }

  package func close() { store.close() }

  /// Makes what the commits count in.
  package func prepare() throws {
    try store.write { transaction in
      for number in 0..<Self.conversations {
        try transaction.createConversation(with: ["bob"], id: Self.conversation(number))
      }
      try transaction.declare(Self.commit)
      try transaction.save(Record(Self.commit, name: "total", ["n": 0]))
      try transaction.put(
        Identity(
          userID: Self.total,
          metadata: [
            "n": "0", "digest": "1", "sequence": .text(String(transaction.writer.commit)),
          ]))
    }
  }

  /// What a snapshot says of itself.
  package struct State: Sendable, Equatable {
    package var number: Int
    package var digest: UInt64
    var sequence: UInt64
  }

  private static func conversation(_ number: Int) -> Conversation.ID { Conversation.ID("c\(number)") }
  private static func message(_ number: Int) -> Message.ID { Message.ID("m\(number)") }
  private static func record(_ name: String) -> Record.ID { Record.ID(type: commit.name, name: name) }
  private static func record(_ number: Int) -> Record.ID { record(String(number)) }

  private static func mix(_ digest: UInt64, _ number: Int, _ writer: Int) -> UInt64 {
    var word = digest ^ UInt64(number) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(writer) << 40
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return word ^ (word >> 31)
  }

  // MARK: Writing

  /// One commit; says which it was.
  package func write(as writer: Int) throws -> State {
    try store.write { transaction in
      var state = try transaction.read { try Self.total(of: $0) }
      state.number += 1
      state.digest = Self.mix(state.digest, state.number, writer)
      state.sequence = transaction.writer.commit
      let place = Int(state.digest % UInt64(Self.conversations))
      let count = try transaction.read { try Self.count(of: place, $0) }
      try transaction.setMetadata(
        .text(String(count + 1)), at: "n", of: .conversation(Self.conversation(place)))
      try transaction.receive(
        [.text("\(state.digest)")], in: Self.conversation(place), from: "bob", id: Self.message(state.number),
        position: Int64(state.number))
      if state.number > 1 { try transaction.markAsRead(Self.message(state.number - 1)) }
      if state.number > Self.kept { try transaction.delete(Self.message(state.number - Self.kept)) }
      let number = MetadataValue.integer(Int64(state.number))
      try transaction.update(Self.record("total")) { $0["n"] = number }
      try transaction.save(Record(id: Self.record(state.number), ["n": number]))
      if state.number > Self.kept { try transaction.delete(Self.record(state.number - Self.kept)) }
      try transaction.put(
        Identity(
          userID: Self.total,
          metadata: [
            "n": .text(String(state.number)), "digest": .text(String(state.digest)),
            "sequence": .text(String(state.sequence)),
          ]))
      return state
    }
  }

  // MARK: Reading

  private static func total(of snapshot: StoreSnapshot) throws -> State {
    guard let metadata = try snapshot.identity(total)?.metadata,
      let number = metadata["n"].flatMap({ Int($0) }),
      let digest = metadata["digest"].flatMap({ UInt64($0) }),
      let sequence = metadata["sequence"].flatMap({ UInt64($0) })
    else { throw TortureError("the store has no total") }
    return State(number: number, digest: digest, sequence: sequence)
  }

  private static func count(of place: Int, _ snapshot: StoreSnapshot) throws -> Int {
    try snapshot.conversation(conversation(place))?.metadata["n"].flatMap { Int($0) } ?? 0
  }

  /// What of two snapshots, which should be the same one, does not add up; nil when all does.
  private static func contradiction(_ state: State, _ snapshot: StoreSnapshot) throws -> String? {
    if state.sequence != snapshot.sequence {
      return "sequence \(snapshot.sequence) of the snapshot, \(state.sequence) of its last commit"
    }
    return try contradiction(inContentsOf: state, snapshot)
  }

  private static func contradiction(inContentsOf state: State, _ snapshot: StoreSnapshot) throws -> String? {
    var sum = 0
    for place in 0..<conversations { sum += try count(of: place, snapshot) }
    if sum != state.number { return "the conversations count \(sum) commits of \(state.number)" }
    let messages = try snapshot.count(Message.all)
    if messages != min(state.number, kept) { return "\(messages) messages after \(state.number) commits" }
    let records = try snapshot.recordCount(of: commit)
    if records != 1 + min(state.number, kept) { return "\(records) records after \(state.number) commits" }
    // The last one is there, and none after it.
    let numbers = try snapshot.records([record("total"), record(state.number), record(state.number + 1)])
      .map { $0["n"] }
    let number = MetadataValue.integer(Int64(state.number))
    if numbers != (state.number > 0 ? [number, number] : [number]) {
      return "records of \(numbers) after \(state.number) commits"
    }
    let unread = try snapshot.count(Message.filter { $0.isUnread })
    if unread != min(state.number, 1) { return "\(unread) unread messages" }
    guard state.number > 0 else { return nil }
    let last = try snapshot.fetch(Message.order { $0.position.descending }.limit(2))
    guard last.first?.id == message(state.number), last.first?.isUnread == true else {
      return "the last message is \(last.first?.id.rawValue ?? "none") after \(state.number) commits"
    }
    let text = try snapshot.content(of: MessagePart.ID("\(message(state.number).rawValue)/parts/0"))
    if String(decoding: text, as: UTF8.self) != String(state.digest) {
      return "another text than the total's digest"
    }
    return nil
  }

  /// Reads one snapshot, twice: everything in it has to be of one commit, and to stay so.
  package func read() throws -> (State, String?) {
    try store.read { snapshot in
      let state = try Self.total(of: snapshot)
      if let found = try Self.contradiction(state, snapshot) { return (state, found) }
      let again = try Self.total(of: snapshot)
      return (state, again == state ? nil : "the snapshot has changed from \(state) to \(again)")
    }
  }

  /// Reads halves of two snapshots as if they were one: what a reader without isolation would see.
  package func readTorn() throws -> String? {
    let state = try store.read { try Self.total(of: $0) }
    usleep(2000)
    return try store.read { try Self.contradiction(inContentsOf: state, $0) }
  }

  // MARK: A process of the crowd

  /// How many threads of a process write.
  package static func writers(of process: Int) -> Int { 1 + process % 2 }

  /// Writes and reads with threads for some seconds. Prints what it has done, a line each: `W n digest` for a commit,
  /// `R n digest` for some reads, `X text` for an anomaly, `C reads` at the end.
  package func run(as process: Int, seconds: Double, readers: Int) throws {
    let deadline = ContinuousClock().now + .seconds(seconds)
    let failure = Mutex<(any Error)?>(nil)
    let reads = Mutex((count: 0, torn: 0, seen: 0))
    let group = DispatchGroup()
    func start(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
      DispatchQueue(label: name).async(group: group) {
        do { try body() } catch { failure.withLock { $0 = $0 ?? error } }
      }
    }
    for writer in 0..<Self.writers(of: process) {
      start("writer \(writer)") {
        while ContinuousClock().now < deadline {
          let state = try write(as: process * 100 + writer)
          Lines.put("W \(state.number) \(state.digest)")
        }
      }
    }
    for reader in 0..<readers {
      start("reader \(reader)") {
        var last = 0
        while ContinuousClock().now < deadline {
          let (state, anomaly) = try read()
          if let anomaly { Lines.put("X \(anomaly)") }
          if state.number < last { Lines.put("X commit \(state.number) was read after \(last)") }
          last = state.number
          let count = reads.withLock { reads in
            reads.count += 1
            return reads.count
          }
          if count % 16 == 0 { Lines.put("R \(state.number) \(state.digest)") }
          if count % 64 == 0 {
            let isTorn = try readTorn() != nil
            reads.withLock { reads in
              reads.torn += 1
              reads.seen += isTorn ? 1 : 0
            }
          }
        }
      }
    }
    group.wait()
    if let error = failure.withLock({ $0 }) { throw error }
    let (count, torn, seen) = reads.withLock { $0 }
    Lines.put("C \(count) \(torn) \(seen)")
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Lines on standard output, each written at once.
enum Lines {
  static func put(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    #if canImport(Glibc)
      _ = Glibc.write(1, bytes, bytes.count)
    #elseif canImport(Musl)
      _ = Musl.write(1, bytes, bytes.count)
    #else
      _ = Darwin.write(1, bytes, bytes.count)
    #endif
  }
}
