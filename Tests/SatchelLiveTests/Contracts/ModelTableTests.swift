import Satchel
import Testing

/// The table that judges the batches must be able to refuse one.
@MainActor
@Suite struct ModelTableTests {
  private let people = ["a", "b", "c", "d"].map { Identity(userID: Identity.ID($0)) }

  private func refuses(_ batch: ModelTable<Identity>.Batch, after: [[Int]]) -> Bool {
    let table = ModelTable<Identity>()
    table.sections = [[people[0], people[1]], [people[2]]]
    do {
      try table.apply(batch, dataSource: after.map { $0.map { people[$0] } })
      return false
    } catch {
      return error is TableInconsistency
    }
  }

  private func batch(
    _ changes: (ChangeType, Int, [Int]?, [Int]?)..., minus: [Int] = [], plus: [Int] = []
  ) -> ModelTable<Identity>.Batch {
    ModelTable<Identity>.Batch(
      deletedSections: minus, insertedSections: plus,
      changes: changes.map { .init(type: $0.0, id: people[$0.1].id.rawValue, at: $0.2, to: $0.3) },
      objects: changes.map { people[$0.1] })
  }

  @Test func fittingBatchesAreTaken() {
    #expect(!refuses(batch(), after: [[0, 1], [2]]))
    #expect(!refuses(batch((.delete, 0, [0, 0], nil), (.insert, 3, nil, [1, 1])), after: [[1], [2, 3]]))
    #expect(!refuses(batch((.move, 0, [0, 0], [0, 1])), after: [[1, 0], [2]]))
    #expect(!refuses(batch((.delete, 2, [1, 0], nil), minus: [1]), after: [[0, 1]]))
    #expect(!refuses(batch((.move, 2, [1, 0], [0, 0]), minus: [1], plus: [0]), after: [[2], [0, 1]]))
    #expect(!refuses(batch((.update, 1, [0, 1], nil)), after: [[0, 1], [2]]))
  }

  @Test func othersAreRefused() {
    #expect(refuses(batch(), after: [[0], [2]]))
    #expect(refuses(batch((.insert, 3, nil, [0, 0])), after: [[0, 1], [2]]))
    #expect(refuses(batch((.delete, 0, [0, 0], nil), (.update, 0, [0, 0], nil)), after: [[1], [2]]))
    #expect(refuses(batch((.delete, 0, [0, 0], nil), (.insert, 0, nil, [0, 1])), after: [[1, 0], [2]]))
    #expect(refuses(batch((.delete, 3, [0, 2], nil)), after: [[0], [2]]))
    #expect(refuses(batch((.update, 1, [0, 1], [0, 1])), after: [[0, 1], [2]]))
    #expect(refuses(batch((.move, 0, [0, 0], [0, 0])), after: [[1, 0], [2]]))
    #expect(refuses(batch(minus: [1]), after: [[0, 1]]))
    #expect(refuses(batch((.delete, 2, [1, 0], nil)), after: [[0, 1]]))
  }
}
