/// What a thread of its own makes while others work, and hands over when it is asked for.
package final class ThreadResult<Value: Sendable>: Sendable {
  private enum State: Sendable { case making, made(Value?) }

  private let state = Monitor(State.making)

  /// Begins the thread. If the system has none left, there is no result.
  package init(_ make: @escaping @Sendable () -> Value?) {
    let hasBegun = BackgroundThread.start { [state] in
      let value = make()
      state.locked { $0 = .made(value) }
      state.notify()
    }
    if !hasBegun { state.locked { $0 = .made(nil) } }
  }

  /// Waits for the end of the thread's work, and returns what it has made.
  package func wait() -> Value? {
    state.locked(when: { if case .made = $0 { true } else { false } }) { state, _ in
      if case .made(let value) = state { value } else { nil }
    }
  }
}
