internal import SatchelExecution
internal import SatchelModel
package import SatchelStorage
internal import SatchelWriting
package import StoreModel

/// The place of one accident: a directory with a store in it, and what it held.
package struct World: Sendable {
  package let programs: Programs
  package let scratch: Scratch
  /// What templates and histories are kept in for all rounds.
  package let template: Template

  /// The directory whose calls are counted, recorded and made to fail.
  package var root: String { scratch("root") }
  package var store: String { root + "/store" }
  package var marks: String { scratch("marks") }
  package var other: String { root + "/other" }

  package init(_ template: Template) throws {
    programs = template.programs
    self.template = template
    scratch = try Scratch()
    try Files.makeDirectory(root)
  }

  /// Puts a copy of the template's store in its place.
  package func copyStore(_ name: String) throws { try Files.copyStore(template.scratch(name), to: store) }

  /// Opens the store as somebody who goes on after the accident.
  package func open(readOnly: Bool = false, buildsIndexes: Bool = true) throws -> Store {
    var options = Store.Options()
    options.create = false
    options.readOnly = readOnly
    // Also goes on in the journal that it finds.
    options.journal = .short(seed: template.workload.seed)
    options.aggregateEvaluator = QueryAggregateEvaluator()
    if !buildsIndexes { options.purgePause = nil }
    return try Store.open(directory: store, user: nil, options: options)
  }
}

/// The stores that accidents begin with, and what they and their successors hold.
package final class Template: Sendable {
  package let programs: Programs
  package let scratch: Scratch
  /// The script: a template holds its first half.
  package let workload: Workload
  package let history: [ReferenceStore]
  /// An interchange file, and what a store that was made of it exports.
  package let file: String
  package let imported: [UInt8]
  /// What the half store exports, which is there twice: as a closed store, and with its last commits in the journal.
  package let half: [UInt8]
  /// What a store exports that deletions have left half empty; the last of its commits are in the journal.
  package let sparse: [UInt8]
  /// The last commit that the half store has: some of a script's commits are rolled back, the last one too.
  package let progressOfHalf: Int
  /// A script that declares indexes, and what a store holds after each of its commits. The store `indexed` has a round and a bit of them,
  /// the last ones in the journal.
  package let indexing: Workload
  package let indexingHistory: [ReferenceStore]

  package init(_ programs: Programs, seed: UInt64, commits: Int = 16) throws {
    self.programs = programs
    scratch = try Scratch()
    workload = Workload(seed: seed, commits: commits)
    history = try workload.history()
    file = try programs.makeImportFile(seed: seed &+ 1, commits: 12, in: scratch)
    try ImageCheck.importFile(file, into: scratch("imported"))
    imported = try ImageCheck.export(scratch("imported"))

    var beginning = workload
    beginning.commits = commits / 2
    let store = try beginning.open(scratch("half"), create: true, journal: .keepingAll())
    try beginning.perform(upTo: beginning.commits, store)
    progressOfHalf = try store.read { try Workload.progress($0) }
    // What a process that ended now would leave.
    try Files.copyStore(scratch("half"), to: scratch("left"))
    store.close()
    half = try ImageCheck.export(scratch("half"))
    try Files.copyStore(scratch("half"), to: scratch("thin"))
    let thin = try beginning.open(scratch("thin"), create: false, journal: .keepingAll())
    try Self.deleteMost(of: thin)
    try Files.copyStore(scratch("thin"), to: scratch("sparse"))
    thin.close()
    sparse = try ImageCheck.export(scratch("thin"))
    beginning.durability = .unsafe
    try Files.copyStore(scratch("half"), to: scratch("older"))
    let older = try beginning.open(scratch("older"), create: false)
    try OlderStore.withdrawLaterIndexes(of: older)
    older.close()

    let before = Workload.roundOfIndexes * (1 + Int(seed / 2 % 2)) + 1
    indexing = Workload(seed: seed, commits: before + Workload.roundOfIndexes - 1, indexing: .along)
    indexingHistory = try indexing.history()
    var first = indexing
    first.commits = before
    let indexed = try first.open(scratch("filled"), create: true, journal: .keepingAll())
    try first.perform(upTo: before, indexed)
    try Files.copyStore(scratch("filled"), to: scratch("indexed"))
    indexed.close()
  }

  /// Writes some messages and deletes two of three, so that all tables have pages that are nearly empty.
  private static func deleteMost(of store: Store) throws {
    let numbers = 0..<900
    func identifier(_ number: Int) -> Message.ID { Message.ID("sparse \(number)") }
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "sparse", participants: ["me", "bob"]))
      for number in numbers {
        let text = String(repeating: "text \(number) ", count: 20 + number &* 7919 % 40)
        _ = try writer.insertMessage(
          MessageDraft(identifier: identifier(number), sender: "bob", parts: [.text(text)]), in: "sparse")
      }
    }
    try store.checkpoint()
    for number in numbers where number % 3 != 0 {
      try store.write { try $0.deleteMessage(identifier(number)) }
      if number == numbers.upperBound - 10 { try store.checkpoint() }
    }
  }
}
