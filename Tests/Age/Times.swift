import Satchel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How long what a chat does most takes on several stores with the same content, measured by turns.
struct Times {
  private static let works = ["a page of 20", "unread of a conversation", "opening", "a commit of a message"]
  private static let rounds = 7

  /// Microseconds, by the work and the store, of each round.
  private var figures: [[[Double]]]
  private let names: [String]

  /// - Parameters:
  ///   - stores: Their names and directories. They are written to.
  ///   - seed: Which conversations are asked for.
  init(of stores: [(name: String, directory: String)], seed: UInt64) throws {
    names = stores.map(\.name)
    figures = Self.works.map { _ in stores.map { _ in [] } }
    for round in 0..<Self.rounds {
      for (index, store) in stores.enumerated() {
        let measured = try Self.measure(store.directory, seed: seed &+ UInt64(round), round)
        for (work, time) in measured.enumerated() { figures[work][index].append(time) }
      }
    }
  }

  private static func open(_ directory: String) throws -> MessageStore {
    var options = MessageStore.Options()
    options.durability = .relaxed
    return try MessageStore(existingAt: directory, options: options)
  }

  /// The microseconds of each work, of as many as give a figure.
  private static func measure(_ directory: String, seed: UInt64, _ round: Int) throws -> [Double] {
    let clock = ContinuousClock()
    func microseconds(_ times: Int, _ body: () throws -> Void) rethrows -> Double {
      let (seconds, attoseconds) = try clock.measure(body).components
      return (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(times)
    }
    let opening = try microseconds(5) {
      for _ in 0..<5 {
        let store = try open(directory)
        _ = try store.count(Message.all)
        store.close()
      }
    }
    let store = try open(directory)
    defer { store.close() }
    let all = try store.fetch(Conversation.all).map(\.id)
    var number = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let some = (0..<1_000).map { _ in
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return all[Int(number >> 33) % all.count]
    }
    func read() throws -> Double {
      try microseconds(some.count) {
        for id in some {
          _ = try store.fetch(
            Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20))
        }
      }
    }
    // Once so that the pages are in memory.
    _ = try read()
    let page = try read()
    let count = try microseconds(some.count) {
      for id in some { _ = try store.count(Message.filter { $0.conversation == id && $0.isUnread }) }
    }
    let commit = try microseconds(some.count) {
      for id in some { try store.write { _ = try $0.send([.text("Round \(round): noon?")], to: id) } }
    }
    return [page, count, opening, commit]
  }

  /// The medians, as Markdown, with how many times those of the last store they are.
  var text: String {
    var lines = [
      "| µs | " + names.joined(separator: " | ") + " |", "| --- |" + names.map { _ in " ---: |" }.joined(),
    ]
    for (work, figures) in zip(Self.works, figures) {
      let medians = figures.map { $0.sorted()[$0.count / 2] }
      let cells = medians.map { median in
        let ratio = (median / (medians.last ?? 1) * 100).rounded() / 100
        return "\((median * 10).rounded() / 10) (\(ratio))"
      }
      lines.append("| \(work) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}
