internal import Dispatch
internal import SatchelModel
internal import SatchelStorage
internal import StoreModel
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Carries a script out in a process of its own, and notes each commit that has returned.
package struct WorkCommand: Sendable {
  package let workload: Workload
  package let store: String
  /// The file that gets a line for each commit that has returned.
  package let marks: String
  /// Whether an error is met as a careful program meets it: open again, see what is there, try once more.
  package let retries: Bool

  package init(_ workload: Workload, store: String, marks: String, retries: Bool = false) {
    self.workload = workload
    self.store = store
    self.marks = marks
    self.retries = retries
  }

  /// Goes on after the last commit that the store has.
  package func run() throws {
    let file = Marks(try Marks.open(marks))
    let opened = try opening { try workload.open(self.store, create: true) }
    var store = opened
    defer { store.close() }
    var number = try store.read { try Workload.progress($0) }
    if number == 0 { file.write("0") }
    var operations = RandomOperations(seed: workload.seed)
    if number > 0 { operations.model = try workload.model(after: number) }
    let others = beside(store, file)
    while number < workload.commits {
      number += 1
      var attempts = 0
      let before = operations.model
      while true {
        operations.model = before
        do {
          do {
            try store.write { try workload.perform(number, &operations, $0) }
            file.write(String(number))
          } catch is RolledBack {}
          break
        } catch let error as SatchelError where retries && attempts < 3 {
          attempts += 1
          try resume(after: error, number, &store)
          let reached = try store.read { try Workload.progress($0) }
          if reached == number {
            guard error.code == .outcomeUnknown else {
              throw Misstated(
                description: "commit \(number) is there, and its error said otherwise: \(error)")
            }
            operations.model = try workload.model(after: number)
            file.write(String(number))
            break
          }
        }
      }
    }
    try others()
    // A commit that fails gives up what it was to build.
    if workload.indexing != nil { try store.completeIndexes {} }
  }

  /// Opens a store that exists for writing, gives it all that its format lacks, in small steps, and closes it.
  package static func open(_ path: String) throws {
    let store = try Workload(seed: 0, commits: 0).open(path, create: false)
    defer { store.close() }
    while try store.read({ $0.seal[.indexBuilds].count > 0 }) {
      try store.write { writer in
        writer.isChanged = true
        writer.turn.grows = true
        writer.turn.indexingRoom = 8
      }
    }
  }

  private func opening(_ body: () throws -> Store) throws -> Store {
    var attempts = 0
    while true {
      do { return try body() } catch let error as SatchelError where retries && attempts < 2 {
        attempts += 1
        FileHandleText.errors("met: \(error)\n")
      }
    }
  }

  private func resume(after error: SatchelError, _ number: Int, _ store: inout Store) throws {
    FileHandleText.errors("met in commit \(number): \(error)\n")
    store.close()
    store = try opening { try workload.open(self.store, create: false) }
  }

  /// Threads that follow people, each in a write of its own; returns what waits for them.
  private func beside(_ store: Store, _ file: Marks) -> () throws -> Void {
    let group = DispatchGroup()
    let failure = Mutex<(any Error)?>(nil)
    let rounds = workload.commits
    // Queued like writers, and not started again and again: what they do is small.
    for thread in 0..<workload.threads {
      DispatchQueue(label: "beside \(thread)").async(group: group) {
        do {
          for round in 0..<rounds {
            let user = "t\(thread)-\(round)"
            try store.write { try $0.setFollowed(true, Identity.ID(user)) }
            file.write(user)
          }
        } catch { failure.withLock { $0 = error } }
      }
    }
    return {
      group.wait()
      if let error = failure.withLock({ $0 }) { throw error }
    }
  }
}

/// An error that says what is not so.
package struct Misstated: Error, CustomStringConvertible {
  package let description: String
}

/// Lines that say what has returned, each written at once.
struct Marks: Sendable {
  private let file: Int32

  init(_ file: Int32) { self.file = file }

  static func open(_ path: String) throws -> Int32 {
    #if canImport(Glibc)
      let file = Glibc.open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
    #elseif canImport(Musl)
      let file = Musl.open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
    #else
      let file = Darwin.open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
    #endif
    guard file >= 0 else { throw TortureError("cannot open \(path)") }
    return file
  }

  func write(_ mark: String) {
    let line = Array((mark + "\n").utf8)
    #if canImport(Glibc)
      _ = Glibc.write(file, line, line.count)
    #elseif canImport(Musl)
      _ = Musl.write(file, line, line.count)
    #else
      _ = Darwin.write(file, line, line.count)
    #endif
  }
}

enum FileHandleText {
  /// Writes to standard error at once.
  static func errors(_ text: String) {
    let bytes = Array(text.utf8)
    #if canImport(Glibc)
      _ = Glibc.write(2, bytes, bytes.count)
    #elseif canImport(Musl)
      _ = Musl.write(2, bytes, bytes.count)
    #else
      _ = Darwin.write(2, bytes, bytes.count)
    #endif
  }
}
