import Foundation
import Satchel
import SatchelLive
import TestSupport
import Testing

/// Controllers over random commits, seen as a program sees them: delegate and asynchronous sequence replay to the list
/// that a fresh query gives.
@Suite(.timeLimit(.minutes(5))) struct ControllerPropertyTests {
  @Test func deliveriesReplayToFreshLists() async throws {
    let seed = TestEnvironment.seed(for: "controllers")
    let scratch = try Scratch()
    var commits = CommitGenerator(seed: seed)
    var questions = QuestionGenerator(seed: seed &+ 1)
    try await scratch.store.declare(CommitGenerator.area, CommitGenerator.task)
    try scratch.keepResponses()
    (commits.keepsResponses, questions.keepsResponses) = (true, true)
    for _ in 0..<30 { try commits.commit(to: scratch.store) }
    questions.identifiers = try World.identifiers(in: scratch.store)
    var watchers: [any ControllerWatching] = []
    for number in 0..<32 {
      let wanted = try questions.next([.messages, .conversations, .identities, .records][number % 4])
      let question = try await scratch.store.read { try wanted.fitted(to: World($0)) }
      guard question.isOfController else { continue }
      let watcher: any ControllerWatching =
        switch question.kind {
        case .messages: try await ControllerWatcher<Message>(question, scratch.store)
        case .conversations: try await ControllerWatcher<Conversation>(question, scratch.store)
        case .records: try await ControllerWatcher<Record>(question, scratch.store)
        default: try await ControllerWatcher<Identity>(question, scratch.store)
        }
      watchers.append(watcher)
    }
    #expect(watchers.count > 5)
    for number in 0..<150 {
      try commits.commit(to: scratch.store)
      if number % 16 == 0 { try await Task.sleep(for: .milliseconds(2)) }
    }
    var sets = 0
    for watcher in watchers { sets += try await watcher.finish() }
    #expect(sets > 0)
  }

  /// A load can step in between a batch's look at what is held and the change of it.
  @Test func executingWhileCommitsArriveCountsEachOnce() async throws {
    let scratch = try Scratch()
    let store = scratch.store
    let lunch = try await store.write { try $0.conversation(with: ["bob"]).id }
    let controller = store.controller(for: Message.order { $0.position }, window: .first(1000))
    try await controller.execute()
    for position in Int64(0)..<600 {
      try await store.write { _ = try $0.receive([.text("a")], in: lunch, from: "bob", position: position) }
      guard position % 10 == 9 else { continue }
      try await controller.execute()
      #expect(controller.totalNumberOfObjects == Int(position) + 1)
      #expect(controller.list.objects.count == Int(position) + 1)
    }
    controller.close()
  }

  @Test func aSlowConsumerGetsOneSet() async throws {
    let scratch = try Scratch()
    let store = scratch.store
    let lunch = try await store.write { try $0.conversation(with: ["bob"]).id }
    let controller = store.controller(for: Message.order { $0.position }, window: .first(100))
    try await controller.execute()
    var slow = controller.changes.makeAsyncIterator()
    for position in Int64(0)..<20 {
      try await store.write { _ = try $0.receive([.text("a")], in: lunch, from: "bob", position: position) }
    }
    try await controller.execute()
    let set = await slow.next()
    #expect(set?.difference.inserts.count == 20)
    #expect(set?.totalNumberOfObjects == 20)
    controller.close()
    let end = await slow.next()
    #expect(end == nil)
  }
}

extension LiveQuestion {
  /// Whether the face of the library can ask it.
  fileprivate var isOfController: Bool { specification.showsRows && residual == nil }
}

private protocol ControllerWatching {
  /// Ends the watching and compares with a fresh query.
  /// - Returns: How many change sets there were.
  func finish() async throws -> Int
}

/// A controller with all that listens to it.
private final class ControllerWatcher<Object: StoredObject & Equatable>: ControllerWatching {
  private let question: LiveQuestion
  private let store: MessageStore
  private let controller: QueryController<Object>
  private let delegate: ReplayingDelegate<Object>
  private let sequence: Task<ControllerReplay<Object>, Never>

  init(_ question: LiveQuestion, _ store: MessageStore) async throws {
    self.question = question
    self.store = store
    let controller = store.controller(
      for: Query<Object>(question.query) ?? Query(), window: question.specification.window,
      sectionKey: question.specification.sectionKey,
      updatableProperties: question.specification.updatableProperties)
    self.controller = controller
    try await controller.execute()
    delegate = await ReplayingDelegate(controller)
    let changes = controller.changes
    let start = ControllerReplay(controller.list)
    sequence = Task {
      var replay = start
      for await set in changes { replay.apply(set) }
      return replay
    }
  }

  func finish() async throws -> Int {
    try await controller.execute()
    controller.close()
    let replay = await sequence.value
    let told = await delegate.replay
    #expect(
      replay.mismatches.isEmpty && told.mismatches.isEmpty,
      "\(question): \(replay.mismatches) \(told.mismatches)")
    #expect(replay.sections == told.sections, "\(question)")
    let all = try await store.identifiers(Query<Object>(question.query) ?? Query())
    let found = replay.sections.flatMap { $0 }
    switch question.specification.window {
    case .all: #expect(found == all, "\(question)")
    case .first(let count): #expect(found == Array(all.prefix(count)), "\(question)")
    case .last(let count): #expect(found == Array(all.suffix(count)), "\(question)")
    case .tail:
      #expect(found == Array(all.suffix(found.count)) && found.isEmpty == all.isEmpty, "\(question)")
    case .around, .aroundDate: #expect(Set(found).isSubset(of: all), "\(question)")
    }
    #expect(controller.totalNumberOfObjects == all.count)
    return replay.sets
  }
}

@MainActor
private final class ReplayingDelegate<Object: StoredObject & Equatable>:
  QueryControllerDelegate
{
  private(set) var replay: ControllerReplay<Object>
  private var told = 0

  init(_ controller: QueryController<Object>) {
    replay = ControllerReplay(controller.list)
    controller.delegate = self
  }

  func controllerWillChangeContent(_ controller: QueryController<Object>) {
    told = 0
    #expect(ControllerReplay.sections(of: controller.list) == replay.sections)
  }

  func controller(
    _ controller: QueryController<Object>, didChange object: Object, at indexPath: IndexPath?,
    for type: ChangeType, newIndexPath: IndexPath?
  ) {
    told += 1
  }

  func controllerDidChangeContent(_ controller: QueryController<Object>, with changes: ChangeSet<Object>) {
    #expect(told == changes.changes.count)
    replay.apply(changes)
    #expect(ControllerReplay.sections(of: controller.list) == replay.sections)
  }
}
