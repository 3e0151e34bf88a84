import BenchmarkKit
import Engines
import GRDB
import Satchel

/// Records of an application's own types, and what they refer to. Each opens the stores unless they are open, the last one removes them.
func recordReads(_ data: LoadedDataset, _ stores: TodoStores) -> [Workload] {
  let todo = TodoStores.todo
  let middle = stores.count / 2
  func area(_ run: Int) -> Int64 { Int64(run % TodoStores.areas) }
  func title(_ run: Int) -> String { "List \(run * 7919 % stores.listCount)" }
  func name(_ run: Int) -> String { "t\(run * 7919 % stores.count)" }
  /// Fifty lists whose tasks are asked for.
  func first(_ run: Int) -> Int {
    run * TodoStores.neighbours % (stores.listCount - TodoStores.neighbours + 1)
  }

  func rows(
    _ name: String, _ about: String, columns: Int32 = 5, _ sql: String,
    _ values: @escaping (Int) -> [any (DatabaseValueConvertible & Sendable)],
    _ satchel: @escaping (MessageStore, Int) throws -> [SatchelRecord]
  ) -> Workload {
    recordReading(
      name, about, data, stores, sql, values, columns: columns,
      satchel: { store, run in
        var answer = Answer()
        for record in try satchel(store, run) { add(record, withList: columns > 5, to: &answer) }
        return answer
      })
  }
  func number(
    _ name: String, _ about: String, _ sql: String, _ values: @escaping (Int) -> [Int64],
    _ satchel: @escaping (MessageStore, Int) throws -> Int
  ) -> Workload {
    recordReading(
      name, about, data, stores, sql, values, columns: 0,
      satchel: { store, run in Answer(number: try satchel(store, run)) })
  }

  let page = "SELECT \(taskColumns) FROM todo JOIN list ON list.id = todo.list"
  let reads: [Workload] = [
    rows(
      "records/page", "The first 20 tasks by their order",
      page + " ORDER BY ord, todo.id LIMIT 20", { _ in [] }
    ) { store, _ in try store.fetch(todo.order { $0.order }.limit(20)) },
    rows(
      "records/page-middle", "20 tasks in the middle of that order",
      page + " ORDER BY ord, todo.id LIMIT 20 OFFSET ?1", { [Int64(middle + $0 % 64)] }
    ) { store, run in try store.fetch(todo.order { $0.order }.offset(middle + run % 64).limit(20)) },
    rows(
      "records/page-of-list", "The first 20 tasks of the list of a title, by their order",
      page + " WHERE list.title = ?1 ORDER BY ord, todo.id LIMIT 20", { [title($0)] }
    ) { store, run in
      let title = title(run)
      return try store.fetch(todo.filter { $0.list.title == title }.order { $0.order }.limit(20))
    },
    // Left to itself, SQLite goes through all tasks of these lists, which takes it longer.
    rows(
      "records/page-through-reference", "The first 20 tasks of a tenth of the lists, by their order",
      """
      SELECT \(taskColumns) FROM todo INDEXED BY todo_order JOIN list ON list.id = todo.list
      WHERE +list.area = ?1 ORDER BY ord, todo.id LIMIT 20
      """, { [area($0)] }
    ) { store, run in
      let area = area(run)
      return try store.fetch(todo.filter { $0.list.area == area }.order { $0.order }.limit(20))
    },
    rows(
      "records/including", "1,000 tasks of 50 lists, each with its list", columns: 6,
      """
      SELECT \(taskColumns), list.title FROM todo JOIN list ON list.id = todo.list
      WHERE todo.list BETWEEN ?1 AND ?1 + \(TodoStores.neighbours - 1) ORDER BY todo.list, ord, todo.id LIMIT 1000
      """, { [Int64(first($0))] }
    ) { store, run in
      // One read a list, in one snapshot, as each list is shown.
      try store.read { snapshot in
        var found: [SatchelRecord] = []
        for list in first(run)..<first(run) + TodoStores.neighbours where found.count < 1_000 {
          let id = TodoStores.id(ofList: list)
          let ofList = todo.filter { $0.list == id }.order { $0.order }.including(\.list)
          found += try snapshot.fetch(ofList.limit(1_000 - found.count))
        }
        return found
      }
    },
    rows("records/identifier", "The task of a name", page + " WHERE todo.name = ?1", { [name($0)] }) {
      store, run in
      let found = try store.record(SatchelRecord.ID(type: "todo", name: name(run)))
      return found.map { [$0] } ?? []
    },
    number(
      "records/count", "How many tasks are done", "SELECT COUNT(*) FROM todo WHERE done = ?1", { _ in [1] }
    ) { store, _ in try store.count(todo.filter { $0.done }) },
    number(
      "records/count-through-reference", "How many tasks a tenth of the lists has",
      "SELECT COUNT(*) FROM todo WHERE list IN (SELECT id FROM list WHERE area = ?1)", { [area($0)] }
    ) { store, run in
      let area = area(run)
      return try store.count(todo.filter { $0.list.area == area })
    },
  ]
  return reads + recordWrites(data, stores)
}

/// A task of its own commit, and lists that are deleted with their tasks.
private func recordWrites(_ data: LoadedDataset, _ stores: TodoStores) -> [Workload] {
  let rounds = 200
  let longLists = 3
  var tasks: [TodoStores.Task] = []
  var statement: Engines.SQLiteStatement?
  // A round takes several commits: the clock is not to show.
  let commits = 10
  func each(_ run: Int, _ body: (TodoStores.Task) throws -> Void) rethrows -> Answer {
    for task in tasks[run * commits..<(run + 1) * commits] { try body(task) }
    return Answer(number: commits)
  }
  return [
    Workload(
      "records/save-1", about: "A task in a durable commit", n: data.n, items: commits,
      repetition: .once(rounds: rounds),
      [
        Contender(
          .satchel,
          setUp: {
            try stores.open()
            tasks = (0..<rounds * commits).map { stores.task(stores.count + $0) }
          },
          body: { try each($0) { try stores.save($0) } }),
        Contender(.grdb, body: { try each($0) { try stores.insertByGRDB($0) } }),
        Contender(
          .sqlite, setUp: { statement = try stores.sqlite.prepare(TodoStores.insertTask) },
          tearDown: {
            statement = nil
            tasks = []
          }, body: { try each($0) { if let statement { try stores.insert($0, statement) } } }),
      ]),
    Workload(
      "records/delete-list", about: "A list deleted with the hundred tasks that refer to it", n: data.n,
      repetition: .once(rounds: 20),
      [
        Contender(
          .satchel, setUp: { try stores.open() },
          body: {
            try stores.deleteList($0)
            return Answer()
          }),
        Contender(
          .grdb,
          body: {
            try stores.deleteListByGRDB($0)
            return Answer()
          }),
        Contender(
          .sqlite,
          body: {
            try stores.deleteListBySQLite($0)
            return Answer()
          }),
      ]),
    Workload(
      "records/cascade", about: "A list deleted with the 100,000 tasks that refer to it", n: data.n,
      items: TodoStores.tasksOfLongList, repetition: .once(rounds: longLists),
      [
        Contender(
          .satchel,
          setUp: {
            try stores.open()
            try stores.addLongLists(longLists)
          },
          body: {
            try stores.deleteList(stores.listCount + $0)
            return Answer()
          }),
        Contender(
          .grdb,
          body: {
            try stores.deleteListByGRDB(stores.listCount + $0)
            return Answer()
          }),
        Contender(
          .sqlite, tearDown: { stores.remove() },
          body: {
            try stores.deleteListBySQLite(stores.listCount + $0)
            return Answer()
          }),
      ]),
  ]
}

private let taskColumns = "todo.name, todo.title, ord, done, list.name"

/// Adds what a program shows of a task.
private func add(_ record: SatchelRecord, withList: Bool, to answer: inout Answer) {
  answer.add(record.id.name)
  answer.add(record["title"]?.textValue ?? "")
  answer.add(Int(record["order"]?.integerValue ?? 0))
  answer.add(record["done"] == true ? 1 : 0)
  answer.add(record["list"]?.referenceValue?.name ?? "")
  if withList { answer.add(record.included(\.list)?["title"]?.textValue ?? "") }
}

/// A read of these stores.
/// - Parameter columns: How many columns of each row are looked at: texts, but for the third and the fourth; 0 for a number.
private func recordReading(
  _ name: String, _ about: String, _ data: LoadedDataset, _ stores: TodoStores, _ sql: String,
  _ values: @escaping (Int) -> [any (DatabaseValueConvertible & Sendable)],
  columns: Int32,
  satchel: @escaping (MessageStore, Int) throws -> Answer
) -> Workload {
  let isNumber: (Int32) -> Bool = { $0 == 2 || $0 == 3 }
  var statement: Engines.SQLiteStatement?
  return Workload(
    name, about: about, n: data.n,
    [
      Contender(
        .satchel, setUp: { try stores.open() }, body: { try satchel(stores.satchel, $0) }),
      Contender(
        .grdb,
        body: { run in
          try stores.grdb.read { db in
            let arguments = StatementArguments(values(run))
            let statement = try db.cachedStatement(sql: sql)
            guard columns > 0 else {
              return Answer(number: try Int.fetchOne(statement, arguments: arguments) ?? 0)
            }
            var answer = Answer()
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
              for column in 0..<columns {
                if isNumber(column) {
                  answer.add(Int(row[Int(column)] as Int64))
                } else {
                  answer.add(row[Int(column)] as String)
                }
              }
            }
            return answer
          }
        }),
      Contender(
        .sqlite, setUp: { statement = try stores.sqlite.prepare(sql) }, tearDown: { statement = nil },
        body: { run in
          guard let statement else { return Answer() }
          for (index, value) in values(run).enumerated() {
            if let text = value as? String {
              statement.bind(Int32(index + 1), text)
            } else {
              statement.bind(Int32(index + 1), value as? Int64)
            }
          }
          guard columns > 0 else { return Answer(number: Int(try statement.number())) }
          defer { statement.reset() }
          var answer = Answer()
          while try statement.step() {
            for column in 0..<columns {
              if isNumber(column) {
                answer.add(Int(statement.integer(column)))
              } else {
                answer.add(statement.text(column))
              }
            }
          }
          return answer
        }),
    ])
}
