import Satchel
import SatchelLive
import SatchelPlanning
import SatchelResponses

/// A virtual list, whose changes of places are replayed after each group of commits.
final class VirtualProbe {
  let query: QueryDescription
  private let take: () -> Change?
  private let read: (Range<Int>) throws -> [StoredValue?]
  private var before: [WorldObject]

  private struct Change {
    let totalBefore: Int
    let total: Int
    let difference: ListDifference
    let isReset: Bool
  }

  /// - Parameter world: What is in the store now.
  convenience init(
    _ query: QueryDescription, _ feed: LiveFeed, in world: World, _ store: MessageStore
  ) throws {
    switch query.kind {
    case .conversations: try self.init(query, feed, world, store, { $0.conversation }, { .conversation($0) })
    case .messages: try self.init(query, feed, world, store, { $0.message }, { .message($0) })
    case .parts: try self.init(query, feed, world, store, { $0.part }, { .part($0) })
    case .announcements: try self.init(query, feed, world, store, { $0.announcement }, { .announcement($0) })
    case .identities: try self.init(query, feed, world, store, { $0.identity }, { .identity($0) })
    case .records: try self.init(query, feed, world, store, { $0.record }, { .record($0) })
    }
  }

  private init<Object: Queryable & Equatable>(
    _ query: QueryDescription, _ feed: LiveFeed, _ world: World, _ store: MessageStore,
    _ unwrap: @escaping @Sendable (StoredValue) -> Object?, _ wrap: @escaping (Object) -> StoredValue
  ) throws {
    self.query = query
    let kind = query.kind
    let list = try VirtualList<Object>(
      of: query,
      read: { snapshot, row, along in
        guard let object = unwrap(try LiveQuestion.read(kind, snapshot, row, along)) else {
          throw SatchelError(.corrupted, "An object of another kind")
        }
        return object
      }, feed: feed)
    take = {
      list.take().map {
        Change(totalBefore: $0.totalBefore, total: $0.total, difference: $0.difference, isReset: $0.isReset)
      }
    }
    read = { try list.objects(at: $0).map { $0.map(wrap) } }
    before = try store.read { try Self.results(query, world.again($0)) }
  }

  private static func results(_ query: QueryDescription, _ world: World) throws -> [WorldObject] {
    try world.snapshot.identifiers(query).compactMap { try world.object($0, of: query) }
  }

  /// Takes what has changed and compares.
  func check(in world: World, _ tally: inout Tally) throws -> String? {
    tally.checks += 1
    let after = try Self.results(query, world)
    defer { before = after }
    let old = before.map(\.reference)
    let new = after.map(\.reference)
    guard let change = take() else {
      if old != new { return "virtual: nothing is told, but it has changed" }
      return zip(before, after).contains { $0.value != $1.value && $0.changesItself(to: $1) }
        ? "virtual: an update is not told" : nil
    }
    tally.changeSets += 1
    if change.totalBefore != old.count || change.total != new.count {
      return "virtual: \(change.totalBefore) and \(change.total) rows, not \(old.count) and \(new.count)"
    }
    if change.isReset { return nil }
    tally.note(change.difference)
    return mismatch(change.difference, old, new, after)
  }

  private func mismatch(
    _ difference: ListDifference, _ old: [RowReference], _ new: [RowReference], _ after: [WorldObject]
  ) -> String? {
    let earlier = Set(old)
    let later = Set(new)
    let deletes = old.indices.filter { !later.contains(old[$0]) }
    if difference.deletes != deletes {
      return "virtual: deletes \(difference.deletes), not \(deletes), of \(deletes.map { old[$0] }); "
        + "inserts \(difference.inserts); \(old.count) rows, then \(new.count)"
    }
    if difference.inserts != new.indices.filter({ !earlier.contains(new[$0]) }) { return "virtual: inserts" }
    let pairs = difference.moves + difference.updates
    guard Set(pairs.map(\.before)).count == pairs.count else { return "virtual: a row is there twice" }
    for pair in pairs where old[pair.before] != new[pair.after] {
      return "virtual: \(pair) are different rows"
    }
    if apply(difference, to: old, after: new) != new { return "virtual: the replayed list is another one" }
    let told = Set(pairs.map(\.after))
    let values = Dictionary(uniqueKeysWithValues: before.map { ($0.reference, $0) })
    for (place, object) in after.enumerated() where !told.contains(place) {
      guard let earlier = values[object.reference], earlier.value != object.value,
        earlier.changesItself(to: object)
      else { continue }
      return "virtual: the update of \(object.identifier) is not told"
    }
    return nil
  }

  /// Compares objects read by their places; outside a transaction.
  func checkObjects(from place: Int) throws -> String? {
    let places = min(place, before.count)..<min(place + 3, before.count)
    let found = try read(places)
    let wanted = before[places].map { StoredValue?.some($0.value) }
    return found == wanted ? nil : "virtual: the objects at \(places)"
  }
}

extension WorldObject {
  /// Whether a change of the value is one of the object's own record.
  fileprivate func changesItself(to other: WorldObject) -> Bool {
    guard case .conversation(let old) = value, case .conversation(let new) = other.value else { return true }
    // The last message is shown with its conversation, but is an object of its own.
    return old.metadata != new.metadata || old.participants != new.participants
      || old.unreadCount != new.unreadCount || old.messageCount != new.messageCount
      || old.participation != new.participation
      || old.lastMessage?.sender == new.lastMessage?.sender
        && old.included(\.lastMessage.sender) != new.included(\.lastMessage.sender)
  }
}

extension StoredValue {
  fileprivate var conversation: Conversation? {
    if case .conversation(let value) = self { value } else { nil }
  }
  fileprivate var message: Message? { if case .message(let value) = self { value } else { nil } }
  fileprivate var part: MessagePart? { if case .part(let value) = self { value } else { nil } }
  fileprivate var announcement: Announcement? {
    if case .announcement(let value) = self { value } else { nil }
  }
  fileprivate var identity: Identity? { if case .identity(let value) = self { value } else { nil } }
  fileprivate var record: Record? { if case .record(let value) = self { value } else { nil } }
}
