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
  /// What the window hangs on, where it last was.
  private var place: WindowPlace?
  /// What the next difference is told from: it may be some commits old.
  private var before: Shown?
  private var last: ExpectedList?

  /// - Parameters:
  ///   - watch: A number for what is watched, the same for the same.
  ///   - place: As `place(of:after:in:)` says.
  init(_ question: LiveQuestion, watch: Int, _ feed: LiveFeed, at place: WindowPlace?) throws {
    self.question = question
    self.watch = watch
    live = LiveQuery(question.source, feed: feed)
    live.whenChanged { [calls] in calls.count() }
    try load(question, watch: watch, at: place)
  }

  /// Asks something else.
  func load(_ question: LiveQuestion, watch: Int, at place: WindowPlace?) throws {
    if self.watch != watch { before = nil }
    self.question = question
    self.watch = watch
    self.place = place
    try live.load(question.specification)
    last = nil
  }

  /// Whether it refuses to ask something else, as it has to for a window around an object that is no result.
  func refuses(_ question: LiveQuestion) -> Bool {
    do {
      try live.load(question.specification)
      return false
    } catch {
      return (error as? SatchelError)?.code == .invalidValue
    }
  }

  /// What the window of a question hangs on when it is loaded.
  static func place(
    of question: LiveQuestion, after old: LiveProbe?, in world: World
  ) throws -> WindowPlace? {
    let isSame = old?.question.query == question.query && question.specification.place != .anew
    let known = isSame ? old?.place : nil
    switch (question.specification.window, old?.question.specification.window) {
    case (.around(let name, _, _), _):
      guard let object = try world.object(name, of: question.query) else { return known }
      return WindowPlace(object, question.query.sort, in: world)
    case (.aroundDate(let now, _, _), .aroundDate(let before, _, _)?): return now == before ? known : nil
    case (.tail, .tail?): return try tail(known, question, in: world)
    default: return nil
    }
  }

  private static func tail(
    _ old: WindowPlace?, _ question: LiveQuestion, in world: World
  ) throws -> WindowPlace? {
    guard case .older(let rows) = question.specification.place else { return old }
    let results = try ExpectedList.results(of: question, in: world).0
    guard let old, old.isFull, !results.isEmpty else { return old }
    let start = min(max(0, old.rank(in: results, world) - rows), results.count - 1)
    return WindowPlace(results[start], question.query.sort, in: world)
  }

  /// Compares, and says what differs.
  /// - Parameter isWaiting: True to tell the next difference from what was shown earlier.
  func check(in world: World, isWaiting: Bool, _ tally: inout Tally) throws -> String? {
    tally.checks += 1
    if live.isIndexed == true { tally.indexed += 1 }
    if question.isOfResponses { tally.responses += 1 }
    if let failure = live.failure { return "it failed: \(failure)" }
    guard let list = live.list else { return "it shows no list" }
    switch question.specification.window {
    case .around, .aroundDate: place = try place?.following(in: world, question.query)
    case .all, .first, .last, .tail: break
    }
    let expected = try ExpectedList(question, in: world, at: &place, watch: watch)
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
