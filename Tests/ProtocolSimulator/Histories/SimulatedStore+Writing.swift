internal import CommitEngine
internal import Journal
internal import RecordStore
internal import SatchelCoding
internal import SatchelStorage
internal import StoreFiles

extension SimulatedStore {
  /// A write under way: what it has of the database, and what it has read.
  final class Transaction: DatabaseWrite {
    let environment: SimulatedEnvironment
    var base: SimulatedDatabase.Version
    private(set) var isDeferred: Bool

    /// As `Environment.beginWrite`.
    init(_ environment: SimulatedEnvironment, isDeferred: Bool) throws {
      self.environment = environment
      if isDeferred, case let (version, isExact) = try environment.snapshot(), isExact {
        base = version
        self.isDeferred = true
      } else {
        base = try environment.beginWrite(isBounded: false)
        self.isDeferred = false
      }
    }

    /// Begins LMDB's write transaction. Returns whether it begins on the state that was read.
    func beginChanges() throws -> Bool {
      guard isDeferred else { return true }
      let version = try environment.beginWrite(isBounded: false)
      isDeferred = false
      defer { base = version }
      return version.number == base.number
    }

    var seal: Seal { base.seal }
    var isBehindFile: Bool { environment.lastTransactionInFile != base.number }
    var trustsSyncs: Bool { environment.hasRenewedMetaPages }
    var waitLimit: UInt64? { nil }

    func takeDatabase() throws { _ = try beginChanges() }

    func end() { if !isDeferred { environment.endWrite() } }
  }

  /// Runs `body` as the only writer of this process.
  func inQueue<R>(_ body: () throws -> R) throws -> R {
    while writer != nil {
      guard machine.wait(for: { "a writer of its own process" }, until: { self.writer == nil }) else {
        throw Gone()
      }
    }
    writer = machine.current
    defer { writer = nil }
    return try body()
  }

  /// Runs `body` with the turn among the writers of all processes.
  func inOrder<R>(_ body: () throws -> R) throws -> R {
    guard try order.lock(.exclusive, waiting: .until(.max)) else { throw Gone() }
    defer { order.unlock() }
    return try body()
  }

  /// As `Store.write`: so many commits in one transaction, which goes to the journal if it may.
  func write(_ tokens: [UInt64], padding: Int) throws {
    try mending {
      try inQueue {
        try inOrder {
          let transaction = try Transaction(environment, isDeferred: access.isAppending)
          defer { transaction.end() }
          try run(.any, transaction, tokens, padding)
        }
      }
    }
  }

  /// As `Store.writeAlone`, and as `Store.takeJournal` without tokens.
  func writeAlone(
    _ way: WriteTurn.Way, _ tokens: [UInt64], padding: Int = 0,
    afterwards: (Seal) -> Void = { _ in }
  ) throws {
    try inQueue {
      try inOrder {
        let transaction = try Transaction(environment, isDeferred: false)
        defer { transaction.end() }
        let turn = try run(way, transaction, tokens, padding)
        afterwards(turn.written ?? turn.base)
      }
    }
  }

  /// As `Writer.finish` and `Writer.complete`.
  @discardableResult
  func run(
    _ way: WriteTurn.Way, _ transaction: Transaction, _ tokens: [UInt64],
    _ padding: Int
  ) throws -> WriteTurn {
    let floor = ledger.last
    var write = transaction
    let turn = try journal.begin(&write, way)
    let tail = turn.tail
    try checkAlive()
    let before = Content(transaction.base, tail)
    guard
      let parent = ledger.check(
        before, tail.seal.commit, after: floor, boot: machine.boot, by: "the writer \(process.name)")
    else { throw Gone() }
    guard !tokens.isEmpty || turn.hasToWrite else { return turn }

    var content = before
    var seal = tail.seal
    for token in tokens {
      seal.commit += 1
      content.commit(seal.commit, token, padding: padding)
    }
    let node = tokens.isEmpty ? nil : ledger.attempt(after: parent, seal.commit, content)
    history.directory.onRecordWritten = { [self] in
      if let node, machine.current?.process === process {
        ledger.acknowledge(node, isDurable: access.isSynced)
      }
    }
    defer { history.directory.onRecordWritten = nil }
    do {
      if try turn.way != .any || !append(turn, content, before, seal, commits: tokens.count) {
        try writeToDatabase(turn, transaction, content, &seal)
      }
    } catch {
      try checkAlive()
      if let node, Self.isRefusal(error) { ledger.refuse(node) }
      throw error
    }
    try checkAlive()
    if case .checkpoint = way, !tail.isEmpty { history.checkpoints += 1 }
    if let node { ledger.acknowledge(node, isDurable: access.isSynced) }
    return turn
  }

  /// As `Writer.appendToJournal`.
  private func append(
    _ turn: WriteTurn, _ content: Content, _ before: Content, _ seal: Seal, commits: Int
  ) throws -> Bool {
    guard turn.base.isJournalInUse,
      journal.mayTake(bytes: content.padding, changes: 0)
    else { return false }
    let changes = try CommitChanges(content.changes(after: before, seal), in: turn.tail.arena)
    return try journal.append(changes, commits: UInt64(commits), to: turn.tail)
  }

  /// As `Writer.beginChanges` and `Writer.writeToDatabase`, and the commit.
  private func writeToDatabase(
    _ turn: WriteTurn, _ transaction: Transaction, _ content: Content, _ seal: inout Seal
  ) throws {
    if transaction.isDeferred, try !transaction.beginChanges() {
      let tail = try journal.beginTransaction(transaction.base.seal)
      guard (tail.seal.commit, tail.seal.chain) == (turn.tail.seal.commit, turn.tail.seal.chain) else {
        throw OtherState()
      }
      turn.goOn(after: transaction.base.seal, tail)
    }
    try turn.place(&seal)
    try environment.commit(SimulatedDatabase.Version(transaction.base.number + 1, seal, content))
    try checkAlive()
    turn.written = seal
    history.databaseCommits += 1
    turn.committed()
  }

  /// Whether an error says that nothing is stored.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case let error as JournalError:
      if case .outcomeUnknown = error.code { return false }
      return true
    case let error as LMDBError: return error.code != .outcomeUnknown
    default: return true
    }
  }

  // MARK: Mending

  /// As `Store.mending`.
  private func mending(_ write: () throws -> Void) throws {
    do {
      try write()
    } catch let error as JournalError where error.code == .poisoned {
      try checkAlive()
      machine.note { "mends" }
      try writeAlone(.checkpoint(closing: true), [])
      try inQueue {
        try inOrder {
          let transaction = try Transaction(environment, isDeferred: false)
          defer { transaction.end() }
          guard !transaction.isBehindFile else { return }
          try journal.empty(after: transaction.base.seal, by: .anybody)
        }
      }
      try write()
    }
  }
}
