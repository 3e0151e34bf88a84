internal import Dispatch
internal import SatchelCare
internal import SatchelModel
internal import SatchelStorage
internal import Synchronization

/// Somebody else at a store during an accident: a reader who keeps a snapshot, and a writer who waits for the turn.
package final class Company: Sendable {
  private let store: Store
  private let group = DispatchGroup()
  private let end = DispatchSemaphore(value: 0)
  private let isOver = Mutex(false)
  private let complaint = Mutex<String?>(nil)

  package init(_ world: World) throws {
    store = try world.open()
    start("reader") { [self] in try read() }
    start("writer") { [self] in try write() }
  }

  private func start(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
    DispatchQueue(label: name).async(group: group) { [self] in
      do { try body() } catch { complain("the other \(name): \(error)") }
    }
  }

  private func complain(_ text: String) { complaint.withLock { $0 = $0 ?? text } }

  /// Holds one snapshot from before the accident until after it, in which nothing may change.
  private func read() throws {
    try store.read { snapshot in
      let before = try Workload.progress(snapshot)
      let seal = snapshot.seal
      end.wait()
      let report = try Verifier.verify(snapshot)
      let after = try Workload.progress(snapshot)
      guard report.isSound, after == before, snapshot.seal.commit == seal.commit else {
        return complain(
          "the reader's snapshot has changed: \(report.faults.first.map { "\($0)" } ?? "\(after)")")
      }
    }
  }

  /// Writes again and again; each write has to come through, whoever dies with the turn in hand.
  private func write() throws {
    var round = 0
    while !isOver.withLock({ $0 }) || round < 2 {
      try store.write { try $0.setFollowed(true, Identity.ID("company-\(round)")) }
      round += 1
    }
    for number in 0..<round {
      let user = try store.read { try $0.users.number(of: "company-\(number)") }
      if user == nil { complain("lost: the other writer's commit \(number)") }
    }
  }

  /// Ends it, and says what went wrong for them.
  package func leave() -> String? {
    isOver.withLock { $0 = true }
    end.signal()
    guard group.wait(timeout: .now() + 60) == .success else { return "the others wait for ever" }
    store.close()
    return complaint.withLock { $0 }
  }
}
