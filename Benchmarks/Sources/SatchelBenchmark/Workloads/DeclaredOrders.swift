import BenchmarkKit
import Engines
import Satchel

/// Orders and combinations that the application has asked for an index of: the index is made, and then pages, counts and ranks are asked
/// for by it. SQLite and GRDB have indexes over the same values, of the same messages.
func declaredReads(_ data: LoadedDataset, _ stores: DeclaredStores) -> [Workload] {
  let custom = stores.custom
  let least = DeclaredStores.leastPriority
  let (page, unread) = (SQL.messages(Select.declared), SQL.messages(Select.declaredUnread))
  let middle = data.keys.messageCount / 2
  var random = SplitMix(seed: 20_261_130)
  let priorities = (0..<64).map { _ in random.below(CustomValues.priorities / 2) }
  func priority(_ run: Int) -> Int { priorities[run % priorities.count] }
  func place(_ run: Int) -> DeclaredStores.Place { stores.places[run % stores.places.count] }
  var byPriority: Query<Message> {
    Message.filter { $0.metadata.priority.number >= least }
      .order { ($0.metadata.priority.descending, $0.sentAt) }
  }

  func paged(_ name: String, _ about: String, offset: @escaping (Int) -> Int) -> Workload {
    reading(
      name, about: about, data, custom, page, open: stores.open,
      satchel: { store, run in Answer(try store.fetch(byPriority.offset(offset(run)).limit(20))) },
      grdb: { Answer(try $0.messages(page, [least, 20, offset($1)])) },
      sqlite: {
        Answer(try $0.bind(1, Int64(least)).bind(2, 20).bind(3, Int64(offset($1))).messages())
      })
  }

  return [
    declaring(data, stores),
    paged(
      "declared/page", "The first 20 messages of nine tenths of all by priority and date", offset: { _ in 0 }),
    paged(
      "declared/page-middle", "20 of these messages in the middle of that order", offset: { middle + $0 % 64 }
    ),
    reading(
      "declared/count", about: "How many messages that order has", data, custom, Number.declared,
      open: stores.open,
      satchel: { store, _ in Answer(number: try store.count(byPriority)) },
      grdb: { engine, _ in Answer(number: try engine.number(Number.declared, [least])) },
      sqlite: { statement, _ in Answer(number: Int(try statement.bind(1, Int64(least)).number())) }),
    reading(
      "declared/rank", about: "The row of a message in that order", data, custom, Number.declaredRank,
      open: stores.open,
      satchel: { store, run in
        Answer(number: try store.count(byPriority.before(Message.ID(place(run).identifier))))
      },
      grdb: { engine, run in
        let place = place(run)
        return Answer(
          number: try engine.number(Number.declaredRank, [place.priority, place.sentAt, place.row]))
      },
      sqlite: { statement, run in
        let place = place(run)
        statement.bind(1, place.priority).bind(2, place.sentAt).bind(3, place.row)
        return Answer(number: Int(try statement.number()))
      }),
    reading(
      "declared/unread-page",
      about: "The first 20 unread messages by priority and date, of an index of unread messages alone", data,
      custom, unread, open: stores.open,
      satchel: { store, _ in
        Answer(
          try store.fetch(
            Message.filter { $0.isUnread }.order { ($0.metadata.priority.descending, $0.sentAt) }.limit(20)))
      },
      grdb: { engine, _ in Answer(try engine.messages(unread, [20, 0])) },
      sqlite: { statement, _ in Answer(try statement.bind(1, 20).bind(2, 0).messages()) }),
    reading(
      "declared/unread-count",
      about: "How many unread messages are above a number of their metadata: half of them or more", data,
      custom, Number.declaredUnread, open: stores.open,
      satchel: { store, run in
        let above = priority(run)
        return Answer(
          number: try store.count(Message.filter { $0.isUnread && $0.metadata.priority.number > above }))
      },
      grdb: { Answer(number: try $0.number(Number.declaredUnread, [priority($1)])) },
      sqlite: { Answer(number: Int(try $0.bind(1, Int64(priority($1))).number())) }),
    both(data, stores),
  ]
}

/// The making of an index: once a round, each time one more.
private func declaring(_ data: LoadedDataset, _ stores: DeclaredStores) -> Workload {
  func contender(_ name: EngineName, _ engine: DeclaredStores.Engine, open: Bool = false) -> Contender {
    var count: () throws -> Int = { 0 }
    return Contender(
      name, setUp: open ? { try stores.custom.open() } : nil,
      readBack: { _ in Answer(number: try count()) },
      body: { _ in
        count = try stores.declareByPriority(engine)
        return Answer()
      })
  }
  return Workload(
    "declared/declare", about: "The making of an index of all messages by priority and date", n: data.n,
    unit: .milliseconds, repetition: .once(rounds: 3),
    [contender(.satchel, .satchel, open: true), contender(.grdb, .grdb), contender(.sqlite, .sqlite)])
}

/// Messages that are in two tenths of all that have nothing to do with one another.
private func both(_ data: LoadedDataset, _ stores: DeclaredStores) -> Workload {
  let limits = (DeclaredStores.fewPriorities, DeclaredStores.fewAmounts)
  let read = reading(
    "declared/and",
    about: "The identifiers of the messages that meet two conditions, each of which a tenth meets",
    data, stores.custom, Number.both, open: stores.open,
    satchel: { store, _ in Answer(ids: try store.identifiers(ofBoth)) },
    grdb: { engine, _ in Answer(texts: try engine.texts(Number.both, [limits.0, limits.1])) },
    sqlite: { statement, _ in
      Answer(texts: try statement.bind(1, Int64(limits.0)).bind(2, Int64(limits.1)).texts())
    })
  // The last one that asks these stores.
  let contenders = read.contenders.map { contender in
    guard contender.engine == .sqlite else { return contender }
    return Contender(
      .sqlite, setUp: contender.setUp,
      tearDown: {
        try contender.tearDown?()
        stores.remove()
      }, body: contender.body)
  }
  return Workload(read.name, about: read.about, n: read.n, contenders)
}

private var ofBoth: Query<Message> {
  let (priority, amount) = (DeclaredStores.fewPriorities, DeclaredStores.fewAmounts)
  return Message.filter { $0.metadata.priority.number < priority && $0.metadata.amount.number < amount }
}

/// How many records are read for the messages that meet two conditions, and how many there are that meet the one that fewer meet.
func recordsOfBoth(_ data: LoadedDataset, _ stores: DeclaredStores) throws -> [Figure] {
  try stores.open()
  let store = stores.custom.satchel
  let (priority, amount) = (DeclaredStores.fewPriorities, DeclaredStores.fewAmounts)
  let ofOne = min(
    try store.count(Message.filter { $0.metadata.priority.number < priority }),
    try store.count(Message.filter { $0.metadata.amount.number < amount }))
  let read = try store.explain(ofBoth, as: .identifiers, running: true).run?.recordsRead ?? 0
  return [
    Figure(
      "declared/and-records", about: "The records that are read for the messages that meet both conditions",
      n: data.n, engine: .satchel, value: Double(read), unit: .records),
    Figure(
      "declared/and-records-of-one", about: "The messages that meet the one condition that fewer meet",
      n: data.n, engine: .satchel, value: Double(ofOne), unit: .records),
  ]
}

/// The days of a month that have messages, and how many each has.
func days(_ data: LoadedDataset) throws -> [Workload] {
  let days = try data.sqlite.connection.prepare(Number.days)
  let day: Int64 = 86_400_000_000
  func month(_ run: Int) -> (start: Int64, end: Int64) {
    let start = data.keys.tenths[run % data.keys.tenths.count].lowerBound / day * day
    return (start, start + 30 * day)
  }
  return [
    Workload(
      "groups/days-of-month", about: "The days of a month that have messages, with their numbers", n: data.n,
      [
        Contender(.satchel) { run in
          let (start, end) = month(run)
          let dates = (Timestamp(microseconds: start).date, Timestamp(microseconds: end).date)
          let found = try data.satchel.counts(
            of: Message.filter { $0.sentAt >= dates.0 && $0.sentAt < dates.1 },
            by: { $0.sentAt.day(in: .gmt) })
          var answer = Answer()
          for group in found {
            answer.add(Int((group.group?.microseconds ?? 0) / day))
            answer.add(group.count)
          }
          return answer
        },
        Contender(.grdb) { run in
          let (start, end) = month(run)
          return try data.grdb.pairs(Number.days, [start, end]).reduce(into: Answer()) { answer, pair in
            answer.add(Int(pair.0))
            answer.add(Int(pair.1))
          }
        },
        Contender(.sqlite) { run in
          let (start, end) = month(run)
          days.bind(1, start).bind(2, end)
          defer { days.reset() }
          var answer = Answer()
          while try days.step() {
            answer.add(Int(days.integer(0)))
            answer.add(Int(days.integer(1)))
          }
          return answer
        },
      ])
  ]
}
