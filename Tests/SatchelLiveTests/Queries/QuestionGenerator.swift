import Satchel
import SatchelLive
import TestSupport

/// Makes random live queries: every kind of object, window, order, and of things to watch.
struct QuestionGenerator {
  var random: SeededGenerator
  /// What the store holds, for windows around an object and queries for one.
  var identifiers: [ObjectKind: [String]] = [:]
  /// Whether the store keeps reactions, replies, participants' states and relations, so that they can be asked for.
  var keepsResponses = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() throws -> LiveQuestion {
    let kind = random.pick(weighted: [
      (46, ObjectKind.messages), (26, .conversations), (14, .parts), (6, .announcements), (8, .identities),
      // Before there is one, their type may not be declared.
      ((identifiers[.records] ?? []).isEmpty ? 0 : 18, .records),
    ])
    return try next(kind)
  }

  /// A query for a virtual list: all results, in any order.
  mutating func nextVirtual() throws -> QueryDescription {
    var query = try next().query
    query.limit = nil
    query.offset = 0
    return query
  }

  mutating func next(_ kind: ObjectKind) throws -> LiveQuestion {
    var query = QueryDescription(kind: kind)
    if kind == .records { query.recordType = CommitGenerator.task.name }
    if kind == .identities, random.percent(60) { query.membersOf = conversation() }
    if keepsResponses, random.percent(15), let (predicate, sort) = try typicalOfResponses(kind) {
      (query.predicate, query.sort) = (predicate, sort)
    } else if random.percent(35) {
      (query.predicate, query.sort) = try typical(kind)
    } else {
      if !random.percent(15) { query.predicate = try QueryPredicate(format: predicate(kind)) }
      query.sort = try sort(kind)
    }
    if random.percent(25) { query.inclusions = inclusions(kind) }
    let window = window(query)
    switch window {
    case .around, .aroundDate, .tail: break
    default:
      if random.percent(15) { query.limit = random.pick([0, 1, 5, 20, 100]) }
      if random.percent(12) { query.offset = random.pick([1, 3, 10, 60]) }
    }
    var question = LiveQuestion(specification: .init(query: query, window: window))
    switch window {
    case .around, .aroundDate, .tail: break
    default: question.specification.showsRows = !random.percent(7)
    }
    if let key = query.sort.first, question.specification.showsRows, random.percent(20) {
      question.specification.sectionKey = SortKey(key.path).description
    }
    question.specification.updatableProperties = watched(kind)
    if random.percent(8) { question.residual = residual(kind) }
    return question
  }

  /// A conversation of the store, or one that may be made later.
  private mutating func conversation() -> Conversation.ID {
    let names = identifiers[.conversations] ?? []
    return Conversation.ID(
      names.isEmpty || random.percent(20) ? "c\(1 + random.below(60))" : random.pick(names))
  }

  /// What comes along.
  private mutating func inclusions(_ kind: ObjectKind) -> [QueryInclusion] {
    if keepsResponses, random.percent(50) {
      switch kind {
      case .messages:
        return random.pick([
          [["reactions"]], [["replies"]], [["reactions"], ["replies"]], [["reactions"], ["sender"]],
        ])
        .map { QueryInclusion($0, name: nil) }
      case .conversations: return [QueryInclusion(["participation"], name: nil)]
      case .parts, .announcements, .identities, .records: break
      }
    }
    let paths: [[String]] =
      switch kind {
      case .messages: [["sender"], ["conversation"], ["conversation", "lastMessage", "sender"]]
      case .conversations: [["lastMessage", "sender"], ["lastMessage"]]
      case .parts:
        [["message"], ["message", "sender"], ["message", "conversation", "lastMessage", "sender"]]
      case .announcements: [["sender"]]
      case .identities, .records: []
      }
    guard !paths.isEmpty else { return [] }
    return (0...random.below(2)).map { _ in
      QueryInclusion(random.pick(paths), name: nil)
    }
  }

  /// The same question with something else about it.
  mutating func changing(_ question: LiveQuestion) throws -> LiveQuestion {
    var changed = question
    switch random.below(4) {
    case 0: changed.specification = try next(question.kind).specification
    case 1: changed.specification.updatableProperties = watched(question.kind)
    default: changed.specification = grown(question.specification)
    }
    return changed
  }

  // MARK: Windows

  /// The same window with more or fewer rows, or one of another kind.
  private mutating func grown(
    _ specification: LiveQuery<StoredValue>.Specification
  ) -> LiveQuery<StoredValue>.Specification {
    let rows = random.below(20)
    var grown = specification
    grown.place = .kept
    switch specification.window {
    case .all: grown.window = .last(1 + rows)
    case .first(let count): grown.window = random.percent(20) ? .all : .first(max(1, count + rows - 5))
    case .last(let count):
      let more = max(1, count + rows - 5)
      grown.window = random.pick([.all, .last(more), .last(more)])
      if random.percent(30), grown.query.limit == nil, grown.query.offset == 0, grown.showsRows {
        grown.window = .tail(more)
      }
    case .tail(let count):
      switch random.below(5) {
      case 0: grown.window = .tail(max(1, count + rows - 8))
      case 1:
        grown.window = .tail(1 + rows)
        grown.place = .anew
      default: grown.place = .older(rows - 5)
      }
    case .around(let name, let before, let after):
      grown.window = .around(name, before: before + rows, after: max(0, after - 2))
    case .aroundDate(let date, let before, let after):
      grown.window = .aroundDate(date, before: max(0, before - 2), after: after + rows)
    }
    return grown
  }

  private mutating func window(_ query: QueryDescription) -> ListWindow {
    let names = identifiers[query.kind] ?? []
    switch random.below(100) {
    case 0..<18: return .all
    case 18..<38: return .first(random.pick([1, 2, 5, 10, 25, 60]))
    case 38..<50: return .last(random.pick([1, 3, 10, 25, 60]))
    case 50..<66: return .tail(random.pick([1, 3, 10, 25, 60]))
    case 66..<84 where !names.isEmpty:
      return .around(
        random.pick(names), before: random.pick([0, 1, 4, 12]), after: random.pick([0, 1, 4, 12]))
    case 84... where query.sort.first.map(Self.hasDates) ?? false:
      let hour = random.hour()
      return .aroundDate(
        Pools.timestamp(hour), before: random.pick([0, 1, 4, 12]), after: random.pick([0, 1, 4, 12]))
    default: return .first(8)
    }
  }

  /// Whether a window around a date goes with the order.
  private static func hasDates(_ key: SortKey) -> Bool {
    key.path == ["position"] || key.path.last?.hasSuffix("At") ?? false && !key.path.contains("my")
  }

  // MARK: Orders

  private mutating func sort(_ kind: ObjectKind) throws -> [SortKey] {
    try (0..<random.pick([0, 1, 1, 1, 2, 3])).map { _ in
      let states = keepsResponses && random.percent(15) ? Self.ownStates(kind) : []
      return try SortKey(
        (random.percent(50) ? "-" : "") + random.pick(states.isEmpty ? Self.sortable(kind) : states))
    }
  }

  private static let ofConversations = [
    "identifier", "remoteID", "updatedAt", "participantCount", "createdAt", "createdAt", "isDistinct",
    "hasUnreadMessages",
    "unreadCount", "messageCount", "lastMessage", "lastMessage.sentAt", "lastMessage.receivedAt",
    "lastMessage.receivedAt", "lastMessage.position", "lastMessage.isUnread", "lastMessage.sender.userID",
    "metadata.title", "metadata.theme.color", "metadata.'two words'.AND",
  ]

  private static let ofEnvelopes = [
    "identifier", "remoteID", "position", "position", "sentAt", "sentAt", "receivedAt", "receivedAt",
    "editedAt",
    "deletedAt", "updatedAt", "isSent", "isUnread",
    "sender.userID", "sender.displayName", "metadata.title", "metadata.theme.color", "metadata.'a.b'",
  ]

  private static let ofMessages =
    ofEnvelopes + ["conversation", "conversation"] + ofConversations.map { "conversation." + $0 }

  private static let ofRecords = [
    "identifier", "owner", "createdAt", "updatedAt", "order", "order", "done", "due", "due", "area", "area",
    "about", "title", "title", "tag", "theme.color", "theme", "#'a.b'",
  ]

  private static func sortable(_ kind: ObjectKind) -> [String] {
    switch kind {
    case .conversations: ofConversations
    case .messages: ofMessages
    case .announcements: ofEnvelopes
    case .parts:
      ["identifier", "message", "index", "mimeType", "size", "text", "index", "mimeType", "transferStatus"]
        + ofMessages.map { "message." + $0 }
    case .identities:
      [
        "identifier", "userID", "displayName", "displayName", "firstName", "lastName", "emailAddress",
        "followed", "metadata.title",
      ]
    case .records: ofRecords
    }
  }

  // MARK: What is watched

  private mutating func watched(_ kind: ObjectKind) -> Set<String>? {
    switch random.below(10) {
    case 0..<4: return nil
    case 4: return []
    default:
      var names = Set((0..<(1 + random.below(3))).map { _ in random.pick(Self.watchable(kind)) })
      if keepsResponses, kind == .conversations, random.percent(25) {
        names.insert(random.pick(Self.ownStates(kind)))
      }
      return names
    }
  }

  private static let watchedOfEnvelopes =
    ofEnvelopes
    + [
      "parts", "parts.transferStatus", "sender", "recipientStatus", "recipientStatus.bob", "metadata",
      "metadata.theme", "metadata.a", "metadata.'a.b'", #"metadata.theme.'\\\''"#,
    ]
  private static let watchedOfConversations =
    ofConversations + ["participants", "metadata", "metadata.theme"]
    + ["isUnread", "recipientStatus", "metadata.title", "sender.displayName", "conversation.metadata.title"]
    .map {
      "lastMessage." + $0
    }
  private static let watchedOfMessages =
    watchedOfEnvelopes + watchedOfConversations.map { "conversation." + $0 }

  private static func watchable(_ kind: ObjectKind) -> [String] {
    switch kind {
    case .conversations: watchedOfConversations
    case .messages: watchedOfMessages
    case .announcements: watchedOfEnvelopes
    case .parts: ["index", "mimeType", "text", "transferStatus"] + watchedOfMessages.map { "message." + $0 }
    case .identities:
      [
        "displayName", "firstName", "lastName", "emailAddress", "followed", "metadata", "metadata.title",
        "metadata.'😀'",
      ]
    case .records: ofRecords + ["createdBy", "updatedBy", "a", "#'two words'", "#'a.b'.c"]
    }
  }

  // MARK: Conditions of the program's own

  private mutating func residual(_ kind: ObjectKind) -> LiveQuestion.Residual {
    let isOdd = random.percent(50)
    return LiveQuestion.Residual(name: isOdd ? "odd" : "even") { value in
      let number: Int =
        switch value {
        case .conversation(let value): value.unreadCount + (value.lastMessage?.parts.count ?? 0)
        case .message(let value):
          value.parts.count + value.recipientStatus.count + value.metadata.entries.count
        case .part(let value): Int(value.size ?? 0)
        case .announcement(let value): (value.isUnread ? 1 : 0) + value.metadata.entries.count
        case .identity(let value): value.displayName?.utf8.count ?? 0
        case .record(let value): value.fields.entries.count
        }
      return (number % 2 == 1) == isOdd
    }
  }
}
