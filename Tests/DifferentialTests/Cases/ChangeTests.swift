import Foundation
import Satchel
import SatchelCare
import SatchelInterchange
import SatchelStorage
import TestSupport
import Testing

@Suite("Changes of the store and of the model")
struct ChangeTests {
  @Test func importedChangesGiveTheModelsAnswers() throws {
    let seed = TestEnvironment.seed(for: "imported changes")
    let (model, temporary) = try Self.start(seed)
    var generator = ChangeGenerator(model, seed: seed)
    for round in 0..<TestEnvironment.rounds(8) {
      var lines = [#"{"kind":"header","format":"satchel-interchange","version":4}"#]
      var rejected: [String] = []
      let before = model.state
      for _ in 0..<60 {
        let line = generator.next().line
        lines.append(line)
        do { try model.apply(line) } catch let error as LineError { rejected.append("\(line): \(error)") }
      }
      let imported = Result { try temporary.importing(lines.joined(separator: "\n")) }
      do {
        try model.settle(isImport: true)
        try model.takeDates(from: temporary.store)
        #expect(
          try imported.get().rejected == rejected.count,
          "round \(round), seed \(seed); store: \(temporary.rejections); model: \(rejected)")
      } catch let restriction as ReferenceModel.Restriction {
        model.state = before
        Self.expect(imported, isRefusedBy: restriction, seed: seed)
      }
      try Self.compare(model, temporary.store, seed: seed &+ UInt64(round))
    }
  }

  /// Some writes give up at their end, and then nothing of them may be seen; each reads what it has written.
  @Test func writtenChangesGiveTheModelsAnswers() throws {
    struct GivenUp: Error {}
    let seed = TestEnvironment.seed(for: "written changes")
    let (model, temporary) = try Self.start(seed)
    let store = temporary.store
    let engine = StoreEngine(store, comparesPaths: true)
    var generator = ChangeGenerator(model, seed: seed)
    var random = SeededGenerator(seed: seed &+ 1)
    for round in 0..<TestEnvironment.rounds(8) {
      for _ in 0..<6 {
        let changes = (0..<random.below(20)).map { _ in generator.next() }
        if random.percent(20) {
          #expect(throws: GivenUp.self) {
            try store.write { transaction in
              for change in changes { _ = try? change.make(in: transaction) }
              _ = try transaction.count(Message.all)
              throw GivenUp()
            }
          }
          continue
        }
        let before = model.state
        let written = Result {
          try store.write { transaction in
            for change in changes {
              let written = Result { try change.make(in: transaction) }
              // The model has no clock: it takes the dates of records from what was written.
              let line = ((try? written.get()) ?? change).line
              let modelled = Result { try model.apply(line) }
              #expect(written.isSuccess == modelled.isSuccess, "\(change.line): \(written), seed \(seed)")
            }
            try transaction.read { snapshot in
              let report = try DifferentialRun.run(
                3, seed: random.next(), on: model.snapshot, against: EngineInWrite(engine, snapshot),
                judge: SQLiteJudge(model))
              #expect(report.differences == [], "in a write, seed \(seed)")
            }
          }
        }
        // What is deleted is missed by what refers to it when the write has ended.
        do {
          try model.settle(isImport: false)
          try written.get()
          try model.takeDates(from: store)
        } catch let restriction as ReferenceModel.Restriction {
          model.state = before
          Self.expect(written, isRefusedBy: restriction, seed: seed)
        }
      }
      try Self.compare(model, store, seed: seed &+ UInt64(round))
    }
  }

  /// Expects that a write has failed, and that the error names one of the references by which it had to.
  private static func expect<Success>(
    _ written: Result<Success, any Error>, isRefusedBy restriction: ReferenceModel.Restriction, seed: UInt64
  ) {
    guard case .failure(let error) = written, let error = error as? SatchelError else {
      Issue.record("\(written), but \(restriction) refuses it, seed \(seed)")
      return
    }
    let names = ["record", "recordType", "field", "object"].map { error.context[$0] ?? "" }
    let expected = restriction.references.map { reference in
      [
        reference.record.name.string, reference.record.type.string, reference.field.string,
        reference.object.reference.description,
      ]
    }
    #expect(error.code == .referenced && expected.contains(names), "\(error), \(restriction), seed \(seed)")
  }

  private static func start(_ seed: UInt64) throws -> (ReferenceModel, TemporaryStore) {
    let lines = SampleData.generated(seed: seed, messages: 150)
    let model = ReferenceModel(user: SampleData.user, lines: lines)
    let temporary = try TemporaryStore(lines: lines, user: SampleData.user)
    try model.takeDates(from: temporary.store)
    return (model, temporary)
  }

  private static func compare(_ model: ReferenceModel, _ store: MessageStore, seed: UInt64) throws {
    let engine = StoreEngine(store, comparesPaths: true, indexSeed: seed &+ 1)
    let judge = try SQLiteJudge(model)
    for anchored in [false, true] {
      let report = try DifferentialRun.run(
        40, seed: seed, on: model.snapshot, against: engine, anchored: anchored, judge: judge)
      #expect(report.differences == [])
    }
    #expect(try ResponseComparison.differences(model.snapshot, store) == [], "seed \(seed)")
    let verification = try store.base.read { try Verifier.verify($0) }
    #expect(verification.faults == [], "seed \(seed)")
  }
}

/// The store as a write sees it.
private struct EngineInWrite: QueryEngine {
  private let engine: StoreEngine
  private let snapshot: StoreSnapshot

  init(_ engine: StoreEngine, _ snapshot: StoreSnapshot) {
    self.engine = engine
    self.snapshot = snapshot
  }

  func run(_ query: GeneratedQuery) throws -> EngineAnswer { try engine.run(query, on: snapshot) }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
