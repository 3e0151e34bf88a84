import Satchel
import SatchelLive
import SatchelPlanning
import Synchronization

/// A live query with what it last showed, compared after each group of commits with what it has to show.
final class LiveProbe {
  private struct Shown {
    let list: LiveList<StoredValue>
    let expected: ExpectedList
    let isUpdate: (LiveRow<StoredValue>, LiveRow<StoredValue>) -> Bool
  }

  private(set) var question: LiveQuestion
  private let live: LiveQuery<StoredValue>
  private let calls = CallCounter()
  /// The number of what is watched.
  private var watch: Int
  /// The object that the window lies around, by identifier, and where it last was.
  private var place: (identifier: String, row: PlacedRow)?
  /// What the next difference is told from: it may be some commits old.
  private var before: Shown?
  private var last: ExpectedList?

  /// - Parameters:
  ///   - world: What is in the store now.
  ///   - watch: A number for what is watched, the same for the same.
  init(_ question: LiveQuestion, watch: Int, _ feed: LiveFeed, in world: World) throws {
    self.question = question
    self.watch = watch
    live = LiveQuery(question.source, feed: feed)
    live.whenChanged { [calls] in calls.count() }
    try load(question, watch: watch, in: world)
  }

  /// Asks something else.
  func load(_ question: LiveQuestion, watch: Int, in world: World) throws {
    if self.watch != watch { before = nil }
    self.question = question
    self.watch = watch
    let old = place
    place = nil
    if case .around(let name, _, _) = question.specification.window {
      if let object = world.object(name, question.kind) {
        place = (name, PlacedRow(object, question.query.sort, in: world))
      } else {
        place = old
      }
    }
    try live.load(question.specification)
    last = nil
  }

  /// Compares, and says what differs.
  /// - Parameter isWaiting: True to tell the next difference from what was shown earlier.
  func check(in world: World, isWaiting: Bool, _ tally: inout Tally) throws -> String? {
    tally.checks += 1
    if live.isIndexed == true { tally.indexed += 1 }
    if let failure = live.failure { return "it failed: \(failure)" }
    guard let list = live.list else { return "it shows no list" }
    if let (name, old) = place, let object = world.object(name, question.kind),
      object.reference == old.reference
    {
      place = (name, PlacedRow(object, question.query.sort, in: world))
    }
    let expected = try ExpectedList(question, in: world, around: place?.row, watch: watch)
    if let mismatch = expected.mismatch(with: list, commit: world.snapshot.sequence) { return mismatch }
    if let last, calls.take() != expected.differs(from: last) {
      return "it \(expected.differs(from: last) ? "did not say that it changed" : "said that it changed")"
    }
    _ = calls.take()
    last = expected
    let comparesValues = question.specification.updatableProperties == nil
    let shown = Shown(
      list: list, expected: expected, isUpdate: LiveQuery.isUpdate(comparingValues: comparesValues))
    guard let before else {
      self.before = shown
      return nil
    }
    if isWaiting { return nil }
    self.before = shown
    let difference = list.difference(from: before.list, isUpdate: shown.isUpdate)
    tally.note(difference)
    if !difference.isEmpty || list.total != before.list.total { tally.changeSets += 1 }
    return DifferenceCheck(before.expected, expected, comparesValues: comparesValues).mismatch(
      with: difference)
  }
}

/// Counts calls from any thread.
private final class CallCounter: Sendable {
  private let calls = Mutex(0)

  func count() { calls.withLock { $0 += 1 } }

  /// Whether there were calls since the last time.
  func take() -> Bool {
    calls.withLock { calls in
      defer { calls = 0 }
      return calls > 0
    }
  }
}

extension ExpectedList {
  /// How a list is not as it has to be.
  fileprivate func mismatch(with list: LiveList<StoredValue>, commit: UInt64) -> String? {
    if list.commit > commit { return "it shows commit \(list.commit), after \(commit)" }
    if list.total != total { return "total \(list.total), not \(total)" }
    let found = list.rows.map(\.reference)
    let wanted = rows.map(\.object.reference)
    if found != wanted {
      let place =
        zip(found, wanted).enumerated().first { $0.1.0 != $0.1.1 }?.offset ?? min(found.count, wanted.count)
      return """
        rows: \(found.count), wanted \(wanted.count), total \(total); they differ from \(place) on:
          found \(found.dropFirst(place).prefix(6).map(\.text)) wanted \(wanted.dropFirst(place).prefix(6).map(\.text))
          wanted first \(rows.dropFirst(place).first?.object.identifier ?? "the end")
        """
    }
    for (row, wanted) in zip(list.rows, rows) where row.value != wanted.object.value {
      return "the value of \(wanted.object.identifier) is \(row.value), not \(wanted.object.value)"
    }
    if list.start != start {
      return "it starts at \(list.start), not \(start)"
    }
    if list.sections != sections { return "sections \(list.sections), not \(sections)" }
    return nil
  }

  /// True where something that is shown or watched is not the same.
  fileprivate func differs(from other: ExpectedList) -> Bool {
    total != other.total || start != other.start || sections != other.sections
      || rows.count != other.rows.count
      || zip(rows, other.rows).contains { new, old in
        new.object.reference != old.object.reference || new.watched != old.watched
          || new.section != old.section
          || new.object.value != old.object.value
      }
  }
}

extension RowReference {
  fileprivate var text: String { "\(conversation)/\(sequence)/\(part)" }
}
