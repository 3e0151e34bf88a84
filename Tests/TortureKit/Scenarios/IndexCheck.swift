internal import Satchel
internal import SatchelCare
internal import SatchelModel
internal import SatchelQuery
internal import SatchelStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What the declared indexes of a closed store are good for, whatever has happened to it. In the end the store has none.
package struct IndexCheck {
  private let path: String
  private let seed: UInt64
  private let verifies: Bool

  /// - Parameter verifies: False to leave all to the questions.
  package init(_ path: String, seed: UInt64, verifies: Bool = true) {
    self.path = path
    self.seed = seed
    self.verifies = verifies
  }

  /// What is wrong; nil if nothing is. Those that are complete answer, and each fault of a verification counts; then all that is not complete
  /// becomes so by itself, as nobody does more than have the store open; and in the end all have answered as the store does without them.
  package func complaint() throws -> String? {
    do {
      let before = try withStore(buildsBeside: false) { store in
        try verify(store, "as it was left")
        return try answers(store)
      }
      try withStore(buildsBeside: true, waitForBuilds)
      try withStore(buildsBeside: false) { store in
        try verify(store, "when all indexes were built")
        let after = try answers(store)
        let declared = try store.base.read { try $0.declaredIndexes() }
        guard after.count == declared.count, Set(declared.map(\.name)).count == declared.count else {
          throw Complaint("indexes that were built: \(declared.map(\.entry))")
        }
        for answer in after { try store.dropIndex(named: answer.index.name) }
        for (answer, time) in before.map({ ($0, "at once") }) + after.map({ ($0, "when it was built") }) {
          try compare(answer, time, store)
        }
        try verify(store, "without indexes")
      }
      return nil
    } catch let complaint as Complaint { return complaint.description }
  }

  private struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private func withStore<R>(buildsBeside: Bool, _ body: (MessageStore) throws -> R) throws -> R {
    var options = MessageStore.Options()
    options.journal = .short(seed: seed)
    options.purgePause = buildsBeside ? 0.0005 : nil
    let store = try MessageStore(existingAt: path, options: options)
    defer { store.close() }
    return try body(store)
  }

  private func verify(_ store: MessageStore, _ time: String) throws {
    if verifies, let faults = try store.base.faults() { throw Complaint("\(time): \(faults)") }
  }

  private func waitForBuilds(_ store: MessageStore) throws {
    let clock = ContinuousClock()
    let limit = clock.now + .seconds(60)
    while try store.base.read({ try $0.isBuildingIndexes() }) {
      guard clock.now < limit else {
        throw Complaint(
          "nobody goes on to build: \(try store.base.read { try $0.declaredIndexes().map(\.entry) })")
      }
      usleep(200)
    }
  }

  // MARK: Questions

  /// What an index answers.
  private struct Answer {
    let index: Index
    var pages: [[String]] = []
    var count = 0
  }

  private static let page = 20
  /// With so many entries no other way to a page is as short.
  private static let many = 200

  /// What the indexes answer that are complete.
  private func answers(_ store: MessageStore) throws -> [Answer] {
    try store.indexes().filter(\.isComplete).map { status in
      let (answer, paths) = try answer(status.index, store)
      if answer.count >= Self.many, !status.index.isOfWords,
        paths.contains(where: { $0 != status.index.name })
      {
        throw Complaint("\(status) is complete and not used, but \(paths)")
      }
      return answer
    }
  }

  /// Asks for pages in the order of an index, from both ends and in the middle, and for their number; of one of words, for pages of objects
  /// with one of some words.
  private func answer(_ index: Index, _ store: MessageStore) throws -> (Answer, paths: [String]) {
    try store.read { snapshot in
      var answer = Answer(index: index)
      var paths: [String] = []
      let columns = index.isOfWords ? [SortKey(["sentAt"])] : index.columns.map(\.sortKey)
      var query = QueryDescription(kind: index.kind, predicate: index.predicate)
      if index.isOfWords {
        let title = try QueryPredicate(format: "metadata.title MATCHES-TEXT 'blue OR gr*'")
        query.predicate = .and([index.predicate, title])
      }
      answer.count = try snapshot.count(query)
      query.limit = Self.page
      for isReversed in [false, true] {
        query.sort = columns.map { SortKey($0.path, descending: $0.descending != isReversed) }
        for offset in [0, answer.count / 2] {
          query.offset = offset
          let explanation = try snapshot.explain(query)
          paths.append(explanation.paths[explanation.chosen].index)
          answer.pages.append(try snapshot.identifiers(query))
        }
      }
      return (answer, paths)
    }
  }

  private func compare(_ expected: Answer, _ time: String, _ store: MessageStore) throws {
    let (scan, paths) = try answer(expected.index, store)
    guard !paths.contains(expected.index.name) else {
      throw Complaint("\(expected.index) was dropped, and is used")
    }
    guard scan.count == expected.count, scan.pages == expected.pages else {
      throw Complaint(
        "\(expected.index) answers \(time) that there are \(expected.count), beginning with \(expected.pages.map { $0.prefix(3) }); without it "
          + "there are \(scan.count), \(scan.pages.map { $0.prefix(3) })")
    }
  }
}

extension Index {
  fileprivate var isOfWords: Bool { columns.contains(where: \.isOfWords) }
}
