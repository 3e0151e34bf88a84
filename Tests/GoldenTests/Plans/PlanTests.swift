import Satchel
import SatchelExecution
import SatchelPlanning
import SatchelStorage
import TestSupport
import Testing

/// How queries are answered: every path that the planner considers, with its exact cardinality and cost, and the one
/// that it takes. `SATCHEL_REWRITE=1` writes the plans of the commands in `plans.golden` anew, and fails.
struct PlanTests {
  @Test func plansAreTheExpectedOnes() throws {
    let golden = GoldenFile("plans.golden", besideFolderOf: #filePath)
    let script = try PlanScript(golden.read())
    #expect(script.commands.count >= 120)
    let chat = try GeneratedStore(messages: 2000, seed: 1)
    try chat.addRecords()
    let found = try chat.store.read { snapshot in
      try script.run { command in
        let query = try command.query
        let explanation = try snapshot.explain(query, as: command.type)
        let found = try Self.count(query, snapshot)
        for path in explanation.paths where path.isExact && path.residual.isEmpty && query.anchor == nil {
          #expect(path.cardinality == found, "\(query): \(path.index) \(path.bounds)")
        }
        return explanation.description + "\nresults: \(found)"
      }
    }
    if let complaint = try golden.complaint(about: found) { Issue.record("\(complaint)") }
  }

  /// With indexes of the application: when one is used, and when it is not. Of the paths considered, those of the index and the chosen one
  /// are written.
  @Test func declaredIndexesAreUsedWhereTheyHelp() throws {
    let golden = GoldenFile("declared-plans.golden", besideFolderOf: #filePath)
    let script = try PlanScript(golden.read())
    let chat = try GeneratedStore(messages: 2000, seed: 1)
    let store = chat.store
    try store.write { transaction in
      for (number, id) in try transaction.identifiers(Message.all).enumerated() where number % 8 == 0 {
        let tags: MetadataValue =
          number % 16 == 0 ? ["urgent", "late"] : number % 24 == 0 ? "urgent" : ["late"]
        try transaction.setMetadata(tags, at: "tags", of: .message(id))
      }
    }
    try Self.saveTasks(store)
    var isUsed: [Bool] = []
    let found = try script.run { command in
      if let index = try command.declaration {
        try store.declare(index)
        try store.base.completeIndexes {}
        return try store.indexes().map { "\($0.entries) entries" }.joined(separator: "\n")
      }
      if let name = command.dropped {
        try store.dropIndex(named: name)
        return "dropped"
      }
      return try store.read { snapshot in
        let query = try command.query
        let explanation = try snapshot.explain(query, as: command.type)
        let names = Set(try snapshot.indexes().map(\.index.name))
        let number = try Self.count(query, snapshot)
        var lines = [
          explanation.plan.split(separator: "\n").first { $0.hasPrefix("plan:") }.map(String.init) ?? ""
        ]
        for (place, path) in explanation.paths.enumerated() {
          if names.contains(path.index), path.residual.isEmpty {
            #expect(path.cardinality == number, "\(query): \(path.bounds)")
          }
          guard place == explanation.chosen || names.contains(path.index) else { continue }
          lines.append(
            "\(place == explanation.chosen ? "*" : " ") \(path.index) \(path.bounds): \(path.cardinality) rows, "
              + (path.residual.isEmpty ? "" : "test \(path.residual), ") + path.order)
        }
        isUsed.append(names.contains(explanation.paths[explanation.chosen].index))
        return (lines + ["results: \(number)"]).joined(separator: "\n")
      }
    }
    #expect(isUsed.count >= 60 && isUsed.count(where: { $0 }) >= 20 && isUsed.count(where: { !$0 }) >= 12)
    if let complaint = try golden.complaint(about: found) { Issue.record("\(complaint)") }
  }

  /// Saves 600 tasks of four lists, a third of them done, and notes that are like them.
  private static func saveTasks(_ store: MessageStore) throws {
    let (todo, note) = (RecordType("todo"), RecordType("note"))
    try store.declare(todo, note)
    try store.write { transaction in
      for number in 0..<600 {
        let tags: MetadataValue = number % 16 == 0 ? ["urgent", "late"] : ["late"]
        let fields: Metadata = [
          "done": .boolean(number % 3 == 0), "order": .integer(Int64(number * 7 % 60)), "tags": tags,
          "list": .reference(Reference(type: "list", name: "l\(number % 4)")),
        ]
        try transaction.save(Record(todo, name: "t\(number)", owner: number % 2 == 0 ? "bob" : nil, fields))
        if number % 10 == 0 { try transaction.save(Record(note, name: "n\(number)", fields)) }
      }
    }
  }

  /// How many objects meet a query's predicate, by testing every one.
  private static func count(_ query: QueryDescription, _ snapshot: StoreSnapshot) throws -> Int {
    var all = QueryDescription(kind: query.kind, predicate: query.predicate)
    all.recordType = query.recordType
    let plan = try snapshot.executor.plan(
      snapshot.executor.question(all, isCount: true), exhaustive: true)
    return try snapshot.executor.count(plan.choosing(0))
  }
}
