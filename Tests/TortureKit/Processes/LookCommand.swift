internal import SatchelExecution
internal import SatchelModel
internal import SatchelStorage
internal import StoreModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Comes to a store at which another process has been stopped: reads, opens it for writing, writes, and closes it. Says of each step
/// whether there was an answer, or who was in the way.
package struct LookCommand {
  package let workload: Workload
  package let store: String
  /// What the other process has been told is committed.
  package let marks: String
  /// Whether writes wait for ever.
  package var isPatient = false
  private let history: [ReferenceStore]

  package init(_ workload: Workload, store: String, marks: String) throws {
    self.workload = workload
    self.store = store
    self.marks = marks
    history = try workload.history()
  }

  /// - Parameters:
  ///   - ready: A file to make once the store is open, for one who is there before the other is stopped.
  ///   - go: The file whose making says that the other has been stopped.
  package func run(ready: String?, go: String?) throws {
    if let ready, let go {
      let opened = try open(readOnly: false)
      try Files.write("", to: ready)
      while !Files.exists(go) { usleep(1000) }
      attempt("a reader who was there") { try difference(opened) }
      write(to: opened, as: "a writer who was there")
      opened.close()
    } else {
      attempt("a reader") {
        let opened = try open(readOnly: true)
        defer { opened.close() }
        return try difference(opened)
      }
      var opened: Store?
      attempt("an opener") {
        let store = try open(readOnly: false)
        opened = store
        return try difference(store)
      }
      if let opened {
        write(to: opened, as: "a writer")
        opened.close()
      }
    }
    Lines.put("E")
  }

  private func write(to store: Store, as who: String) {
    attempt(who) {
      let name = Identity.ID("look-\(getpid())")
      try store.write { try $0.setFollowed(true, name) }
      guard try store.read({ try $0.users.number(of: name.rawValue) }) != nil else {
        return "lost: its own commit"
      }
      return try difference(store)
    }
  }

  private func open(readOnly: Bool) throws -> Store {
    var options = Store.Options()
    options.create = false
    options.readOnly = readOnly
    options.journal = .short(seed: workload.seed)
    options.aggregateEvaluator = QueryAggregateEvaluator()
    if !isPatient { options.writerWait = 2 }
    return try Store.open(directory: store, user: nil, options: options)
  }

  /// What is wrong with what it sees, which may lack the last commit.
  private func difference(_ store: Store) throws -> String? {
    let acknowledged = try Acknowledged(file: marks)
    return try store.read { try acknowledged.difference($0, history, mayLose: 1) }
  }

  /// Whether somebody has been told that there is a store. The file of marks is there before.
  private var wasOpened: Bool { (try? Acknowledged(file: marks))?.isOpen ?? true }

  private func attempt(_ who: String, _ body: () throws -> String?) {
    do {
      let complaint = try body()
      Lines.put(complaint.map { "X \(who): \($0)" } ?? "A \(who)")
    } catch let error as SatchelError where error.code == .busy {
      Lines.put("B \(error.context["process"] ?? "0") \(who)")
    } catch let error as SatchelError
      where [.noSuchStore, .notAStore].contains(error.code) && !wasOpened
    {
      Lines.put("A \(who)")
    } catch {
      Lines.put("X \(who): \(error)")
    }
  }
}
