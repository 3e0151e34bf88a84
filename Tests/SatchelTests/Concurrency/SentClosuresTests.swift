import Satchel
import SatchelScenes
import TestSupport
import Testing

/// The closures of asynchronous reads and writes may use what belongs to the caller alone: they are done when the call returns.
@Suite(.timeLimit(.minutes(2))) struct SentClosuresTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "lunch")
      try tx.receive([.text("1")], in: "lunch", from: "bob", id: "m1")
    }
  }

  /// A class that is not `Sendable`.
  private final class Notes {
    var texts: [String] = []
  }

  @Test @MainActor func localVariablesAndResultsOfAnyType() async throws {
    var texts: [String] = []
    try await store.read { snapshot in texts += try snapshot.fetch(Message.all).compactMap(\.text) }
    try await store.forEach(Message.all) { texts.append($0.text ?? "") }
    try await store.write { tx in texts.append("\(try tx.count(Message.all))") }
    #expect(texts == ["1", "1", "1"])
    let notes = try await store.write { tx in
      let notes = Notes()
      notes.texts = try tx.fetch(Message.all).compactMap(\.text)
      return notes
    }
    let more = Notes()
    more.texts = ["more"]
    try await store.read { snapshot in more.texts += try snapshot.fetch(Message.all).compactMap(\.text) }
    #expect(notes.texts == ["1"])
  }

  @Test func whatTheClosureThrowsIsPassedOn() async throws {
    struct Refusal: Error, Equatable { let number: Int }
    var runs = 0
    await #expect(throws: Refusal(number: 1)) {
      try await store.write { tx in
        try tx.send([.text("2")], to: "lunch")
        throw Refusal(number: 1)
      }
    }
    do {
      try await store.write { _ in
        runs += 1
        throw Refusal(number: 2)
      }
    } catch let error as Refusal { #expect(error.number == 2) }
    #expect(runs == 1)
    #expect(try await store.count(Message.all) == 1)
    store.close()
    let error = await #expect(throws: SatchelError.self) { try await store.write { _ in } }
    #expect(error?.code == .closed)
  }

  /// Tasks that are cancelled at any time: a closure has run once if the write returns, and never, or to its end, if it does not.
  /// After the call nothing refers to it.
  @Test func writesThatAreCancelled() async throws {
    var random = SeededGenerator()
    let (returned, cancelled, runs) = (Shared(0), Shared(0), Shared(0))
    for _ in 0..<40 {
      let spins = (0..<8).map { _ in random.below(4) }
      await withTaskGroup(of: Void.self) { group in
        for (place, spin) in spins.enumerated() {
          let task = Task {
            var own = 0
            do {
              try await store.write { tx in
                own += 1
                try tx.update("m1") { $0.position = Int64(place) }
              }
              #expect(own == 1)
              returned.update { $0 += 1 }
            } catch is CancellationError {
              #expect(own == 0)
              cancelled.update { $0 += 1 }
            } catch { Issue.record("\(error)") }
            runs.update { $0 += own }
          }
          group.addTask {
            for _ in 0..<spin { await Task.yield() }
            if spin != 3 { task.cancel() }
            await task.value
          }
        }
      }
    }
    #expect(runs.value == returned.value)
    #expect(returned.value + cancelled.value == 320)
    #expect(returned.value >= 1)
    try expectSound(store)
  }
}
