import SatchelCoding
import SatchelImport
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

/// Identifiers that somebody has made to have one hash are told apart, and are refused when they are so many that
/// look-ups would be slow.
@Suite struct IdentifiersOfOneHashTests {
  private static let most = Writer.maximumOfOneHash

  let directory: TemporaryDirectory
  let store: Store
  let identifiers: [String]

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path)
    identifiers = try Self.ofOneHash(seed: TestEnvironment.seed(for: "identifiersOfOneHash"))
    let hashes = Set(identifiers.map { KeyWords.identifierHash(Array($0.utf8)) })
    try #require(hashes.count == 1 && Set(identifiers).count == 256)
    try store.write { writer in
      _ = try writer.insertConversation(ConversationDraft(identifier: "c", participants: ["me"]))
    }
  }

  private func refusal(_ body: () throws -> Void) -> SatchelError.Code? {
    do { try body() } catch let error as SatchelError { return error.code } catch {}
    return nil
  }

  /// Adds objects until one is refused, and as many again of which all are refused. Each of `step` is a write.
  private func fill(step: Int, _ add: (Writer, String) throws -> Void) throws {
    var added = 0
    while added < identifiers.count {
      try store.write { writer in
        for identifier in identifiers[added..<min(identifiers.count, added + step)] {
          let code = refusal { try add(writer, identifier) }
          #expect(code == (added < Self.most ? nil : .invalidIdentifier), "\(added) by \(step)")
          added += 1
        }
      }
    }
    try expectSound(store)
  }

  private func message(_ identifier: String) -> MessageDraft {
    MessageDraft(identifier: Message.ID(identifier), sender: "x")
  }

  @Test(arguments: [1, 7, 256]) func messages(_ step: Int) throws {
    try fill(step: step) { _ = try $0.insertMessage(message($1), in: "c") }
    try store.read { snapshot in
      for (index, identifier) in identifiers.enumerated() {
        let found = try snapshot.locateMessage(identifier)
        #expect((found != nil) == (index < Self.most))
      }
    }
    // Where one goes, another may come, in the same write and in later ones.
    try store.write { writer in
      try writer.deleteMessage(Message.ID(identifiers[3]))
      _ = try writer.insertMessage(message(identifiers[200]), in: "c")
      #expect(
        refusal { _ = try writer.insertMessage(message(identifiers[3]), in: "c") } == .invalidIdentifier)
    }
    try store.write { writer in
      try writer.deleteMessage(Message.ID(identifiers[200]))
      _ = try writer.insertMessage(message(identifiers[3]), in: "c")
    }
    try expectSound(store)
  }

  @Test(arguments: [1, 7, 256]) func announcements(_ step: Int) throws {
    try fill(step: step) { _ = try $0.insertAnnouncement(message($1)) }
  }

  @Test(arguments: [1, 7, 256]) func conversations(_ step: Int) throws {
    try fill(step: step) {
      _ = try $0.insertConversation(ConversationDraft(identifier: Conversation.ID($1), participants: ["me"]))
    }
    try store.read { snapshot in
      for (index, identifier) in identifiers.enumerated() {
        let found = try snapshot.locateConversation(identifier)
        #expect((found != nil) == (index < Self.most))
      }
    }
  }

  /// An import refuses the first one too many when it stages it, whatever the store has and others of the import are.
  @Test(arguments: [0, 20]) func staged(_ before: Int) throws {
    try store.write { writer in
      for identifier in identifiers[..<before] { _ = try writer.insertMessage(message(identifier), in: "c") }
    }
    var options = Store.Options()
    options.durability = .temporaryImport
    // Commits go to the journal, and on from there every few of them.
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.mostCommits = 7
    var index = before
    var accepted: [String: Int] = [:]
    func add(_ kind: String, _ body: () throws -> Void) {
      let code = refusal(body)
      #expect(code == nil || code == .invalidIdentifier)
      if code == nil { accepted[kind, default: 0] += 1 }
    }
    _ = try ImportSession.run(
      into: directory.path, user: nil, options: options,
      next: { session in
        guard index < identifiers.count else { return false }
        defer { index += 1 }
        let (identifier, line) = (identifiers[index], UInt64(3 * index))
        add("conversations") {
          let draft = ConversationDraft(identifier: Conversation.ID(identifier), participants: ["me"])
          try session.addConversation(draft, line: line)
        }
        add("messages") { try session.addMessage(message(identifier), in: "c", line: line + 1) }
        return true
      },
      apply: { _, _, _ in },
      conflicts: ImportSession.Conflicts(reject: { line, error in
        Issue.record("line \(line) was staged, and then refused: \(error)")
      }))
    #expect(accepted == ["conversations": Self.most, "messages": Self.most - before])
    try expectSound(store)
  }

  /// The same identifier may come and go as often as it likes.
  @Test func oneIdentifierThatComesAndGoes() throws {
    for _ in 0..<3 {
      try store.write { writer in
        for _ in 0..<2 * Self.most {
          _ = try writer.insertAnnouncement(message("a"))
          try writer.deleteMessage("a")
          _ = try writer.insertMessage(message("m"), in: "c")
          try writer.deleteMessage("m")
        }
        _ = try writer.insertMessage(message("m"), in: "c")
      }
      try store.write { try $0.deleteMessage("m") }
    }
    try expectSound(store)
  }

  // MARK: - Making them (FORMAT.md, 2)

  private static let pi: [UInt64] = [
    0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89,
  ]

  private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return a ^ b ^ product.low ^ product.high
  }

  /// Returns 256 texts of three blocks of 64 bytes. A block changes each of four lanes by `mix` of two words, which is
  /// the same for both orders of them: where the words so exchanged are ASCII, a text has a twin. Each of the last two
  /// blocks has four pairs of words; the first one makes the lanes such that there are ASCII words.
  private static func ofOneHash(seed: UInt64) throws -> [String] {
    var random = SeededGenerator(seed: seed)
    var lanes = pi
    var texts: [[UInt8]] = [[]]
    for block in 0..<3 {
      for lane in 0..<4 {
        let swap = pi[lane] ^ lanes[lane]
        let words = try #require(
          (0..<100_000).lazy.map { _ in (word(&random), word(&random)) }.first { first, second in
            let next = mix(first ^ pi[lane], second ^ lanes[lane])
            return isASCII(next ^ pi[lane])
              && (block == 0 || isText(first ^ swap) && isText(second ^ swap) && first != second ^ swap)
          })
        lanes[lane] = mix(words.0 ^ pi[lane], words.1 ^ lanes[lane])
        let plain = bytes(words.0) + bytes(words.1)
        let twin = bytes(words.1 ^ swap) + bytes(words.0 ^ swap)
        texts = block == 0 ? texts.map { $0 + plain } : texts.map { $0 + plain } + texts.map { $0 + twin }
      }
    }
    return texts.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func word(_ random: inout SeededGenerator) -> UInt64 {
    (0..<8).reduce(0) { word, _ in word << 8 | UInt64(0x30 + random.draw(below: 64)) }
  }

  private static func isASCII(_ word: UInt64) -> Bool { word & 0x8080_8080_8080_8080 == 0 }

  private static func isText(_ word: UInt64) -> Bool { isASCII(word) && !bytes(word).contains(0) }

  private static func bytes(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }
}
