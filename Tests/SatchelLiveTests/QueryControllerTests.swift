import Foundation
import Satchel
import Testing

/// A store in a directory of its own that goes with it.
final class TemporaryStore: Sendable {
  let store: MessageStore
  let directory: URL

  init(user: Identity.ID = "alice") throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "satchel-live-\(UUID().uuidString)")
    var options = MessageStore.Options()
    options.durability = .relaxed
    // Commits go to the journal, and on from there every few of them.
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.mostCommits = 7
    store = try MessageStore(at: directory, user: user, options: options)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: directory)
  }
}

@MainActor
final class RecordingDelegate: QueryControllerDelegate {
  typealias Object = Message
  var sets: [ChangeSet<Message>] = []
  var shownInWill: [[Message.ID]] = []
  var shownInDid: [[Message.ID]] = []
  var onDid: (@MainActor (QueryController<Message>) -> Void)?

  func controllerWillChangeContent(_ controller: QueryController<Message>) {
    shownInWill.append(controller.objects.map(\.id))
  }

  func controllerDidChangeContent(_ controller: QueryController<Message>, with changes: ChangeSet<Message>) {
    sets.append(changes)
    shownInDid.append(controller.objects.map(\.id))
    onDid?(controller)
  }
}

@Suite struct QueryControllerTests {
  @Test @MainActor func delegateIsToldOfAnArrival() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let lunch = try await store.write { try $0.conversation(with: ["bob"]).id }
    let first = try await store.write { try $0.send([.text("one")], to: lunch) }
    let controller = store.controller(
      for: Message.filter { $0.conversation == lunch }.order { $0.position.descending }, window: .first(2))
    let delegate = RecordingDelegate()
    controller.delegate = delegate
    try await controller.execute()
    #expect(controller.objects.map(\.id) == [first])
    #expect(delegate.sets.isEmpty)
    let second = try await store.write { try $0.send([.text("two")], to: lunch) }
    try await controller.execute()
    #expect(delegate.shownInWill == [[first]])
    #expect(delegate.shownInDid == [[second, first]])
    #expect(delegate.sets.first?.difference.inserts == [0])
    #expect(controller.totalNumberOfObjects == 2)
  }

  @Test func sequenceFollowsCommits() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let controller = store.controller(for: Message.all, window: .first(10))
    let changes = controller.changes
    try await controller.execute()
    let lunch = try await store.write { try $0.conversation(with: ["bob"]).id }
    for text in ["a", "b", "c"] { try await store.write { _ = try $0.send([.text(text)], to: lunch) } }
    var count = 0
    for await set in changes {
      count += set.difference.inserts.count
      if count == 3 { break }
    }
    #expect(count == 3)
    let unread = try await store.liveCount(of: Message.all)
    #expect(unread.value == 3)
  }
}
