import Foundation
import Synchronization

/// A value that threads share.
package final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  package var value: Value { mutex.withLock { $0 } }

  package func update(_ body: (inout Value) -> Void) { mutex.withLock { body(&$0) } }

  package func updating<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { body(&$0) }
  }
}

/// Runs a body on a thread of its own and waits for it.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
  let result = Shared<Swift.Result<Result, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let outcome = Swift.Result { try body() }
    result.update { $0 = outcome }
    done.signal()
  }
  thread.start()
  done.wait()
  guard let outcome = result.value else { throw CancellationError() }
  return try outcome.get()
}
