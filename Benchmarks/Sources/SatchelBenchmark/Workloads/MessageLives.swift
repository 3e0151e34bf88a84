import BenchmarkKit
import Engines
import Satchel

/// What happens to a message after it has come in, each step in a durable commit of its own: it is edited, deleted for everyone,
/// confirmed by the server, delivered again. What the engines have written is read back, and has to be what was asked for.
func lives(_ data: LoadedDataset) throws -> [Workload] {
  var living = try LivingMessages(data)
  let most = min(1_000, data.keys.messageCount / 10)
  let edits = edited(try living.take(most), "edits", data)
  let withdrawn = try living.take(most)
  let deliveries = edited(try living.take(most), "deliveries", data)
  let confirmed = ConfirmedDrafts(drafts: try Drafts(data, count: most).messages)
  let (store, grdb, sqlite) = (data.satchel, data.grdb, data.sqlite)
  let date = Confirmation(ofDraft: 0).sentAt

  return [
    step(
      "edit/1",
      about: "The text of a message replaced, in a durable commit; its former text is not kept in SQLite",
      data, expected: edits.map { LifeState($0.record) },
      [
        (.satchel, { try store.edit(edits[$0]) }), (.grdb, { try grdb.edit(edits[$0]) }),
        (.sqlite, { try sqlite.edit(edits[$0]) }),
      ]),
    step(
      "tombstone/1", about: "A message deleted for everyone, in a durable commit; its row stays", data,
      expected: withdrawn.map { message in
        var state = LifeState(message.record)
        state.deletedAt = date
        state.partCount = 0
        state.text = nil
        return state
      },
      [
        (.satchel, { try store.withdraw(withdrawn[$0], at: date) }),
        (.grdb, { try grdb.withdraw(withdrawn[$0], at: date) }),
        (.sqlite, { try sqlite.withdraw(withdrawn[$0], at: date) }),
      ]),
    step(
      "confirm/1", about: "A draft that gets the server's identifier, position and date, in a durable commit",
      data,
      setUp: { try confirmed.send(in: data) }, expected: confirmed.expected,
      [
        (.satchel, { try store.confirm(confirmed.drafts[$0], Confirmation(ofDraft: $0)) }),
        (
          .grdb,
          {
            let conversation = confirmed.drafts[$0].conversation.row
            try grdb.confirm(confirmed.grdbRows[$0], in: conversation, Confirmation(ofDraft: $0))
          }
        ),
        (
          .sqlite,
          {
            let conversation = confirmed.drafts[$0].conversation.row
            try sqlite.confirm(confirmed.sqliteRows[$0], in: conversation, Confirmation(ofDraft: $0))
          }
        ),
      ]),
    step(
      "merge/1",
      about: "A delivery of a message that is there, with a text edited since, in a durable commit", data,
      expected: deliveries.map { LifeState($0.record) }, merges(deliveries, data)),
    step(
      "merge/1-nothing-new", about: "The same delivery once more, in a transaction: nothing is written", data,
      setUp: {
        // What the row before had no time for.
        for (_, merge) in merges(deliveries, data) { for number in deliveries.indices { try merge(number) } }
      }, expected: deliveries.map { LifeState($0.record) }, merges(deliveries, data)),
  ]
}

/// How an engine takes the step of a number.
private typealias Step = (Int) throws -> Void

private func merges(_ deliveries: [KnownMessage], _ data: LoadedDataset) -> [(EngineName, Step)] {
  [
    (.satchel, { try data.satchel.merge(deliveries[$0]) }), (.grdb, { try data.grdb.merge(deliveries[$0]) }),
    (.sqlite, { try data.sqlite.merge(deliveries[$0]) }),
  ]
}

/// The messages with other texts, each edited a second after the one before.
private func edited(_ messages: [KnownMessage], _ name: String, _ data: LoadedDataset) -> [KnownMessage] {
  let texts = Tail(data.keys, name)
  let start = Confirmation(ofDraft: 0).sentAt
  return messages.enumerated().map { number, message in
    let text = texts.message(number).record.parts[0].text ?? ""
    return message.edited(text: text, at: start + Int64(number) * 1_000_000)
  }
}

/// Drafts that wait in all engines, with their rows.
private final class ConfirmedDrafts {
  let drafts: [NewMessage]
  private(set) var grdbRows: [Int64] = []
  private(set) var sqliteRows: [Int64] = []

  init(drafts: [NewMessage]) { self.drafts = drafts }

  /// What is read back of them when they are confirmed.
  var expected: [LifeState] {
    drafts.enumerated().map { number, draft in
      let confirmation = Confirmation(ofDraft: number)
      var state = LifeState(draft.record)
      state.remoteID = confirmation.remoteID
      state.position = confirmation.position
      state.sentAt = confirmation.sentAt
      state.isSent = true
      return state
    }
  }

  func send(in data: LoadedDataset) throws {
    try data.satchel.send(drafts)
    try data.grdb.insert(drafts)
    try data.sqlite.insert(drafts)
    grdbRows = try drafts.map { try data.grdb.row(named: $0.record.identifier) ?? 0 }
    sqliteRows = try drafts.map { try data.sqlite.row(named: $0.record.identifier) ?? 0 }
  }
}

/// A workload of steps, each in a commit of its own.
/// - Parameter expected: What each step's message has to be afterwards.
private func step(
  _ name: String, about: String, _ data: LoadedDataset, setUp: @escaping () throws -> Void = {},
  expected: [LifeState], line: Int = #line, _ engines: [(EngineName, Step)]
) -> Workload {
  // One run makes several small commits, where there are enough: the clock is not to show.
  let commits = expected.count >= 300 ? 10 : 1
  return Workload(
    name, about: about, n: data.n, items: commits,
    repetition: .once(rounds: min(100, expected.count / commits)), line: line,
    engines.enumerated().map { place, engine in
      Contender(
        engine.0, setUp: place == 0 ? setUp : nil,
        readBack: { run in
          var answer = Answer()
          for state in expected[run * commits..<(run + 1) * commits] {
            answer.add(try readBack(state, from: engine.0, data))
          }
          return answer
        },
        body: { run in
          for number in run * commits..<(run + 1) * commits { try engine.1(number) }
          return Answer(number: commits)
        })
    })
}

/// Returns what an engine has of a message: it has to be what is expected, whatever the last message of its conversation is.
/// Where the server has named it, that name has to find it.
private func readBack(_ expected: LifeState, from engine: EngineName, _ data: LoadedDataset) throws
  -> LifeState
{
  let name = expected.remoteID ?? expected.identifier
  let state =
    switch engine {
    case .satchel: try data.satchel.state(named: name)
    case .grdb: try data.grdb.state(named: name)
    default: try data.sqlite.state(named: name)
    }
  var wanted = expected
  wanted.lastMessage = state?.lastMessage ?? ""
  guard let state, state == wanted else {
    throw WrongState(engine: engine, expected: wanted, found: state)
  }
  return state
}

/// A step that an engine has not taken as it should.
private struct WrongState: Error, CustomStringConvertible {
  let engine: EngineName
  let expected: LifeState
  let found: LifeState?

  var description: String {
    "\(engine.title) has \(found.map { "\($0)" } ?? "no such message"); expected was \(expected)"
  }
}
