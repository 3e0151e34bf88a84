import Foundation
import Satchel
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// Totals of writes that share a transaction.
@Suite struct AggregateGroupTests {
  private struct GivenUp: Error {}

  @Test(.timeLimit(.minutes(5))) func totalsFollowWritesThatAreCommittedTogether() throws {
    let scratch = try Scratch()
    let store = scratch.store
    let start = Shared(AggregateWrites(SeededGenerator(for: "aggregates of groups")))
    start.update { writes in
      try? store.write { tx in for _ in 0..<40 { try writes.change(tx) } }
    }
    for check in AggregateCheck.all { try check.declare(store) }
    let failures = Shared<[String]>([])
    @Sendable func carryOut(_ plan: Plan, _ tx: WriteTransaction) throws {
      var failure: (any Error)?
      start.update { writes in
        let before = writes
        do {
          for _ in 0..<plan.changes { try writes.change(tx) }
          if plan.reads {
            try tx.read { snapshot in
              for check in AggregateCheck.all { try check.compare(snapshot, "inside a write") }
            }
          }
          if plan.redeclares {
            let check = AggregateCheck.all[plan.changes % AggregateCheck.all.count]
            try tx.dropAggregate(named: check.aggregate.name)
            try tx.declare(check.aggregate)
          }
          if plan.fails { throw GivenUp() }
        } catch {
          let random = writes.random
          writes = before
          writes.random = random
          failure = error
        }
      }
      if let failure { throw failure }
    }
    let sequence = try store.read { $0.sequence }
    let transactions = try store.base.environment.lastTransaction
    for _ in 0..<TestEnvironment.rounds(120) / 4 {
      let plans = start.updating { writes in (0..<5).map { _ in Plan(&writes.random) } }
      let writers = DispatchGroup()
      let begun = DispatchSemaphore(value: 0)
      for (index, plan) in plans.enumerated() {
        writers.enter()
        let thread = Thread {
          defer { writers.leave() }
          do {
            try store.write { tx in
              if index == 0 {
                // The first one waits for those who are to share its transaction.
                begun.signal()
                while store.base.environment.waitingWriters < plans.count - 1 { usleep(100) }
              }
              try carryOut(plan, tx)
            }
          } catch is GivenUp {
          } catch {
            failures.update { $0.append("\(error)") }
          }
        }
        thread.start()
        if index == 0 { begun.wait() }
      }
      writers.wait()
      try store.read { snapshot in
        for check in AggregateCheck.all { try check.compare(snapshot, "after a group") }
      }
    }
    #expect(failures.value == [])
    try expectSound(store)
    let commits = try store.read { $0.sequence } - sequence
    print("\(commits) commits in \(try store.base.environment.lastTransaction - transactions) transactions")
  }

  private struct Plan {
    let changes: Int
    let reads: Bool
    let redeclares: Bool
    let fails: Bool

    init(_ random: inout SeededGenerator) {
      changes = random.below(6)
      reads = random.percent(20)
      redeclares = random.percent(8)
      fails = random.percent(25)
    }
  }
}
