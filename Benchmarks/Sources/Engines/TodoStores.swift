import Foundation
import GRDB
import Satchel

/// Stores of an application's own records: lists, and what is to be done in each. SQLite and GRDB have a table of either, with the indexes
/// that somebody who knows the questions would make.
public final class TodoStores {
  /// The tasks.
  public let count: Int
  /// The lists, a hundredth of that; a tenth of them is in each area.
  public let listCount: Int
  public static let areas = 10
  /// The tasks of a list that `addLongLists` makes.
  public static let tasksOfLongList = 100_000
  /// The lists of 2,000 tasks in all that lie side by side.
  public static let neighbours = 50

  private let paths: [String]
  private var stores: (satchel: MessageStore, sqlite: SQLiteConnection, grdb: DatabasePool)?
  private var random = SplitMix(seed: 20_261_201)

  public var satchel: MessageStore { opened.satchel }
  public var sqlite: SQLiteConnection { opened.sqlite }
  public var grdb: DatabasePool { opened.grdb }

  private var opened: (satchel: MessageStore, sqlite: SQLiteConnection, grdb: DatabasePool) {
    guard let stores else { fatalError("the stores of tasks are not open") }
    return stores
  }

  public static let list = RecordType("list") {
    $0.text("title")
    $0.integer("area")
  }
  public static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.boolean("done")
    $0.reference("list", to: list, onDelete: .cascade)
  }
  private static let indexes = [
    Index(named: "by list", on: todo) { [$0.list, $0.order] },
    Index(named: "by order", on: todo) { [$0.order] },
  ]

  /// A task, as it is written.
  public struct Task: Sendable {
    public let number: Int
    public let title: String
    public let order: Int64
    public let isDone: Bool
    public let list: Int

    public var name: String { "t\(number)" }

    var record: SatchelRecord {
      SatchelRecord(
        TodoStores.todo, name: name,
        [
          "title": .text(title), "order": .integer(order), "done": .boolean(isDone),
          "list": .reference(TodoStores.id(ofList: list)),
        ])
    }
  }

  public static func id(ofList number: Int) -> SatchelRecord.ID {
    SatchelRecord.ID(type: "list", name: "l\(number)")
  }

  public init(of data: LoadedDataset) {
    count = data.keys.messageCount
    listCount = max(Self.neighbours, count / 100)
    paths = ["satchel", "sqlite", "grdb"].map { data.path(ofCopy: "todos.\($0)") }
  }

  deinit { remove() }

  /// A task with a list and an order at random.
  public func task(_ number: Int) -> Task {
    Task(
      number: number, title: "Task \(random.below(100_000))", order: Int64(random.below(1 << 30)),
      isDone: random.below(2) == 0, list: random.below(listCount))
  }

  /// Makes the stores and opens them, unless they are open.
  public func open() throws {
    guard stores == nil else { return }
    remove()
    let sqlite = try SQLiteConnection(paths[1])
    try sqlite.execute(Schema.loadSettings)
    try sqlite.execute(Self.tables)
    let store = try MessageStore(at: URL(fileURLWithPath: paths[0]), user: "alice")
    try store.declare(Self.list, Self.todo)
    try fill(store, sqlite)
    for index in Self.indexes { try store.declare(index) }
    while try store.indexes().contains(where: { !$0.isComplete }) { usleep(10_000) }
    try store.checkpoint()
    try sqlite.execute(Self.indexesOfTables)
    Files.syncAll(paths[1])
    try LoadedDataset.copy(paths[1], to: paths[2])
    try sqlite.execute(Schema.settings(isDurable: true))
    stores = (store, sqlite, try GRDBEngine(paths[2]).pool)
  }

  private func fill(_ store: MessageStore, _ sqlite: SQLiteConnection) throws {
    let insertList = try sqlite.prepare("INSERT INTO list VALUES (?1, ?2, ?3, ?4)")
    let insertTask = try sqlite.prepare(Self.insertTask)
    try sqlite.write {
      try store.write { transaction in
        for number in 0..<listCount {
          let (name, title, area) = ("l\(number)", "List \(number)", Int64(number % Self.areas))
          try transaction.save(
            SatchelRecord(Self.list, name: name, ["title": .text(title), "area": .integer(area)]))
          try insertList.bind(1, Int64(number)).bind(2, name).bind(3, title).bind(4, area).run()
        }
      }
      for start in stride(from: 0, to: count, by: 10_000) {
        try store.write { transaction in
          for number in start..<min(count, start + 10_000) {
            let task = task(number)
            try transaction.save(task.record)
            try Self.bind(task, insertTask).run()
          }
        }
      }
    }
  }

  // MARK: Writing

  public func save(_ task: Task) throws { try Self.save(task, to: satchel) }

  public static func save(_ task: Task, to store: MessageStore) throws {
    _ = try store.write { try $0.save(task.record) }
  }

  public func insert(_ task: Task, _ statement: SQLiteStatement) throws {
    try sqlite.write { try Self.bind(task, statement).run() }
  }

  public func insertByGRDB(_ task: Task) throws { try Self.insert(task, into: grdb) }

  public static func insert(_ task: Task, into pool: DatabasePool) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: insertTask)
      try statement.execute(arguments: arguments(task))
    }
  }

  private static func arguments(_ task: Task) -> StatementArguments {
    [task.number, task.name, task.title, task.order, task.isDone ? 1 : 0, task.list]
  }

  private static func bind(_ task: Task, _ statement: SQLiteStatement) -> SQLiteStatement {
    statement.bind(1, Int64(task.number)).bind(2, task.name).bind(3, task.title).bind(4, task.order)
      .bind(5, task.isDone ? 1 : 0).bind(6, Int64(task.list))
  }

  /// Adds lists of very many tasks behind the others to all stores, opened if they are not. No task that was made before has their numbers.
  public func addLongLists(_ lists: Int) throws {
    try open()
    for list in listCount..<listCount + lists {
      let (name, title, area) = ("l\(list)", "List \(list)", Int64(list % Self.areas))
      _ = try satchel.write {
        try $0.save(SatchelRecord(Self.list, name: name, ["title": .text(title), "area": .integer(area)]))
      }
      try sqlite.write {
        try sqlite.prepare("INSERT INTO list VALUES (?1, ?2, ?3, ?4)")
          .bind(1, Int64(list)).bind(2, name).bind(3, title).bind(4, area).run()
      }
      try grdb.write {
        try $0.execute(sql: "INSERT INTO list VALUES (?, ?, ?, ?)", arguments: [list, name, title, area])
      }
      let first = count + 1_000_000 + (list - listCount) * Self.tasksOfLongList
      let tasks = (first..<first + Self.tasksOfLongList).map { number in
        let task = task(number)
        return Task(
          number: number, title: task.title, order: task.order, isDone: task.isDone, list: list)
      }
      for start in stride(from: 0, to: tasks.count, by: 10_000) {
        try satchel.write { transaction in
          for task in tasks[start..<start + 10_000] { try transaction.save(task.record) }
        }
      }
      let statement = try sqlite.prepare(Self.insertTask)
      try sqlite.write { for task in tasks { try Self.bind(task, statement).run() } }
      try grdb.write { db in
        let statement = try db.cachedStatement(sql: Self.insertTask)
        for task in tasks { try statement.execute(arguments: Self.arguments(task)) }
      }
    }
    try satchel.checkpoint()
  }

  /// A list is deleted with its tasks.
  public func deleteList(_ number: Int) throws { try Self.deleteList(number, from: satchel) }

  public static func deleteList(_ number: Int, from store: MessageStore) throws {
    try store.write { try $0.delete(id(ofList: number)) }
  }

  /// The same, as a foreign key that cascades does it.
  public func deleteListBySQLite(_ number: Int) throws {
    try sqlite.write {
      for sql in Self.deletions { try sqlite.prepare(sql).bind(1, Int64(number)).run() }
    }
  }

  public func deleteListByGRDB(_ number: Int) throws { try Self.deleteList(number, from: grdb) }

  public static func deleteList(_ number: Int, from pool: DatabasePool) throws {
    try pool.write { db in
      for sql in deletions { try db.execute(sql: sql, arguments: [number]) }
    }
  }

  /// Closes the stores and removes them.
  public func remove() {
    stores?.satchel.close()
    try? stores?.grdb.close()
    stores = nil
    for path in paths { Files.remove(path) }
  }

  // MARK: The tables

  private static let tables = """
    CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL, area INTEGER NOT NULL);
    CREATE TABLE todo (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL, ord INTEGER NOT NULL, done INTEGER NOT NULL,
      list INTEGER REFERENCES list(id)
    );
    """
  private static let indexesOfTables = """
    CREATE UNIQUE INDEX list_name ON list(name);
    CREATE INDEX list_title ON list(title);
    CREATE INDEX list_area ON list(area);
    CREATE UNIQUE INDEX todo_name ON todo(name);
    CREATE INDEX todo_list ON todo(list, ord);
    CREATE INDEX todo_order ON todo(ord);
    CREATE INDEX todo_done ON todo(done);
    ANALYZE;
    """
  public static let insertTask = "INSERT INTO todo VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
  private static let deletions = ["DELETE FROM todo WHERE list = ?1", "DELETE FROM list WHERE id = ?1"]
}
