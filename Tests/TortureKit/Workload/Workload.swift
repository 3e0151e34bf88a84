package import CommitEngine
internal import Satchel
internal import SatchelExecution
internal import SatchelModel
internal import SatchelQuery
package import SatchelReading
package import SatchelStorage
package import SatchelWriting
package import StoreModel
import TestSupport

/// A script of commits that follows from its seed, and what a store holds after each of them.
package struct Workload: Sendable, Codable {
  package enum Durability: String, Sendable, Codable { case full, relaxed, unsafe }

  package var seed: UInt64
  /// The number of the last commit; the first is 1.
  package var commits: Int
  package var durability = Durability.full
  /// Threads that write beside the script, so that several writes share a commit of the file.
  package var threads = 0
  /// What builds indexes that the script declares, replaces and drops, in a store that is large enough for several steps; nil if it
  /// declares none.
  package var indexing: Indexing?

  package init(
    seed: UInt64, commits: Int, durability: Durability = .full, threads: Int = 0, indexing: Indexing? = nil
  ) {
    self.seed = seed
    self.commits = commits
    self.durability = durability
    self.threads = threads
    self.indexing = indexing
  }

  /// Whether a commit is thrown away at its end.
  private func isRolledBack(_ number: Int) -> Bool {
    var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
    return number > 1 && generator.chance(10)
  }

  /// Does a commit's work, on the model alone without a writer.
  package func perform(_ number: Int, _ operations: inout RandomOperations, _ writer: Writer?) throws {
    let before = operations.model
    operations.generator = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    do {
      if number == 1, let writer {
        _ = try writer.registerConsumer("reader")
        try WriteTransaction(writer).declare(Self.unread)
      }
      try declareIndexes(number, &operations, writer)
      try changeRecords(number, &operations, writer)
      let steps = 1 + operations.generator.draw(below: operations.generator.chance(12) ? 40 : 7)
      for _ in 0..<steps { try operations.step(writer) }
      // Contents of many pages make the file grow, and their deletion leaves it with free ones.
      if number % 9 == 0 {
        try operations.grow(writer, bytes: 8_000 + operations.generator.draw(below: 40_000))
      }
      // Reactions, replies, states of participants and relations; what else a seed stands for is as it was without them.
      for _ in 0..<3 { try operations.changeResponses(writer) }
      operations.model.settle()
      if number % 5 == 0, let writer { try writer.acknowledge(writer.commit - 1, consumer: "reader") }
      try writer?.putIdentity(Identity(userID: Self.progress, metadata: ["commit": .text(String(number))]))
      if isRolledBack(number) { throw RolledBack() }
    } catch {
      operations.model = before
      throw error
    }
  }

  /// Does the work of the first commits in a new store.
  package func perform(upTo last: Int, _ store: Store) throws {
    var operations = RandomOperations(seed: seed)
    for number in 1...last {
      do { try store.write { try perform(number, &operations, $0) } } catch is RolledBack {}
    }
  }

  /// The models after each commit, the empty one first.
  package func history() throws -> [ReferenceStore] {
    var operations = RandomOperations(seed: seed)
    var models = [operations.model]
    for number in 1...commits {
      do { try perform(number, &operations, nil) } catch is RolledBack {}
      models.append(operations.model)
    }
    return models
  }

  /// The model after a commit.
  package func model(after number: Int) throws -> ReferenceStore {
    var beginning = self
    beginning.commits = number
    return try beginning.history()[number]
  }

  /// Opens the store as the script does.
  package func open(_ path: String, create: Bool, journal: JournalOptions? = nil) throws -> Store {
    var options = Store.Options()
    options.durability =
      switch durability {
      case .full: .full
      case .relaxed: .relaxed
      case .unsafe: .temporaryImport
      }
    options.aggregateEvaluator = QueryAggregateEvaluator()
    options.journal = journal ?? .short(seed: seed)
    // Where there are checkpoints beside the commits, all that can be given back is, after each.
    if seed % 2 == 1 {
      (options.givingBack.manyPages, options.givingBack.least, options.givingBack.kept) = (0, 1, 0)
    }
    switch indexing {
    case .along: options.purgePause = nil
    case .beside: options.purgePause = 0.0005
    case nil: break
    }
    options.create = create
    return try Store.open(directory: path, user: create ? "me" : nil, options: options)
  }

  /// The number of the last commit that a state has.
  package static func progress(_ snapshot: Snapshot) throws -> Int {
    guard let user = try snapshot.users.number(of: progress.rawValue),
      let row = try snapshot.locateIdentity(user: user)
    else { return 0 }
    let found = try snapshot.makeIdentity(row).metadata["commit"]
    guard let number = found.flatMap({ Int($0) }) else {
      throw TortureError("the identity of the script's progress holds no number")
    }
    return number
  }

  private static let progress = Identity.ID("progress")
  private static let unread = Aggregate(
    named: "unread", counting: Message.filter { $0.isUnread }, groupedBy: \.conversation)
}

/// Thrown at the end of a commit that has to leave nothing.
package struct RolledBack: Error {}
