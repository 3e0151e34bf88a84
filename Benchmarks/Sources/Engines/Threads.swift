import Foundation
import Synchronization

/// Runs a closure on threads of its own, as many as asked for however few processors there are, and waits for all.
/// - Throws: What one of them threw.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let failure = Failure()
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    let thread = Thread {
      do { try body(number) } catch { failure.note(error) }
      group.leave()
    }
    thread.start()
  }
  group.wait()
  try failure.rethrow()
}

private final class Failure: Sendable {
  private let error = Mutex<(any Error)?>(nil)

  func note(_ new: any Error) { error.withLock { $0 = $0 ?? new } }

  func rethrow() throws {
    if let error = error.withLock({ $0 }) { throw error }
  }
}

/// A SQLite connection that threads share, one at a time: writers wait for each other in their own program, which costs
/// less than SQLite's waiting for a busy file.
public final class SharedSQLite: @unchecked Sendable {
  private let engine: SQLiteEngine
  private let lock = NSLock()

  public init(_ engine: SQLiteEngine) { self.engine = engine }

  public func insert(_ batch: [NewMessage]) throws { try lock.withLock { try engine.insert(batch) } }
}
