import Foundation
import Satchel

/// One store and its model, worked on and compared until the end.
final class Session {
  let seed: UInt64
  let messages: Int
  /// The last operation that was done, rolled back or not.
  private(set) var number = 0
  /// What was done beside operations.
  private(set) var tally = Tally()

  private let folder: String
  private let generator: Generator
  private let tool: Tool
  private var model = Model()
  private var store: MessageStore
  private var lists: LiveLists?

  private var path: String { folder + "/store" }

  /// A new store in a folder.
  init(in folder: String, seed: UInt64, messages: Int) throws {
    tool = try Tool()
    self.folder = folder
    self.seed = seed
    self.messages = messages
    generator = Generator(seed: seed, messages: messages)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    store = try MessageStore(
      path: folder + "/store", user: Identity.ID(Names.user), options: Self.options(0, seed))
    let facts = [("seed", String(seed)), ("messages", String(messages)), ("operation", "0")]
    try store.write { transaction in
      try transaction.put(Identity(userID: Names.progress))
      for (name, value) in facts {
        try transaction.setMetadata(.text(value), at: name, of: .identity(Names.progress))
      }
    }
  }

  /// The store of an earlier run. Its model is made by doing all operations over again, without a store.
  init(resuming folder: String) throws {
    tool = try Tool()
    self.folder = folder
    store = try MessageStore(existingAt: folder + "/store")
    seed = UInt64(try store.read { try $0.fact("seed") })
    messages = try store.read { try $0.fact("messages") }
    generator = Generator(seed: seed, messages: messages)
    let last = try store.lastOperation()
    while number < last { _ = generator.operation(advance(), on: &model) }
    try Checker(store: store).all(Answers(model))
  }

  private func advance() -> Int {
    number += 1
    return number
  }

  /// Works until so many operations are done, or until a time.
  func run(until last: Int?, _ deadline: Date, reporting: Bool) throws {
    var reporter = Reporter(from: number, isOn: reporting)
    while number < last ?? .max, Date.now < deadline {
      try step(last)
      reporter.tell(number, model, tally)
    }
    try checkAll()
    try tool.verify(path)
    lists?.close()
    store.close()
  }

  /// One operation, or several by a child, and what is compared after it.
  private func step(_ last: Int?) throws {
    var random = Randomness(seed: seed, operation: number, purpose: 1)
    if number % 300 == 150 { try writeInChild(&random, last) }
    guard number < last ?? .max else { return }
    try store.perform(generator.operation(advance(), on: &model))

    let answers = Answers(model)
    let checker = Checker(store: store)
    try checker.ask(Questions.random(&random, model), answers, &random)
    tally.questions += 1
    if number % 20 == 0 { try checkLists(answers) }
    if number % 500 == 0 { try checkAll() }
    if number % 700 == 0 { try reopen(&random) }
    if number % 5_000 == 0 {
      try tool.verify(path)
      tally.verifications += 1
    }
  }

  private func checkLists(_ answers: Answers) throws {
    if lists == nil {
      lists = try LiveLists(store, conversation: model.conversations.last?.number ?? 1)
    }
    try lists?.check(answers)
    tally.lists += 1
  }

  private func checkAll() throws {
    let found = try store.lastOperation()
    try Difference.check("last operation", String(found), String(model.progress))
    try Checker(store: store).all(Answers(model))
    tally.comparisons += 1
  }

  /// Closes the store and opens it anew, with another durability and other live lists.
  private func reopen(_ random: inout Randomness) throws {
    lists?.close()
    lists = nil
    store.close()
    store = try MessageStore(
      path: path, user: Identity.ID(Names.user), options: Self.options(number, seed))
    tally.openings += 1
  }

  private static func options(_ number: Int, _ seed: UInt64) -> MessageStore.Options {
    var random = Randomness(seed: seed, operation: number, purpose: 2)
    var options = MessageStore.Options()
    options.durability = random.oneIn(4) ? .full : .relaxed
    return options
  }

  /// Has a child do the next operations, and kills it in the middle. What the store says that it has is what it has to have.
  private func writeInChild(_ random: inout Randomness, _ last: Int?) throws {
    var after = model
    let count = min(10 + random.below(150), (last ?? .max) - number)
    let operations = (1...max(count, 1)).map { generator.operation(number + $0, on: &after) }
    let child = Child(store: path, file: folder + "/operations.jsonl")
    try child.run(operations, isDurable: random.oneIn(2), milliseconds: random.below(250))

    // A process that is killed after its commit is in the file, and before it has told the others, leaves a commit that
    // readers see only once somebody writes again. What counts is what the next writer finds, and it finds no more than that.
    let seen = try store.lastOperation()
    let reached = try store.write { transaction in try transaction.read { try $0.lastOperation() } }
    let late = operations.filter { $0.number > seen && $0.number <= reached && !$0.isRolledBack }
    guard seen >= model.progress, reached >= seen, reached <= number + operations.count, late.count <= 1
    else {
      throw Difference(
        question: "last operation after a child was killed, to a reader and to the next writer",
        store: "\(seen) and \(reached)",
        model: "\(model.progress) to \(number + operations.count), one apart at most")
    }
    tally.lateCommits += late.count
    for operation in operations where operation.number <= reached {
      if !operation.isRolledBack { model.apply(operation) }
      number = operation.number
    }
    tally.kills += 1
    try checkAll()
    if let lists { try lists.check(Answers(model)) }
  }
}
