import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// The rows that a write may have brought into an aggregate, taken out of it, or moved from one group into another.
///
/// Each side holds the rows that exist on it, even if nothing about them has changed in the end. So the rows'
/// total after the write, minus their total before it, is the change of the aggregate.
struct AffectedRows {
  /// One state of the store: before or after the write.
  enum Side: Int { case before, after }

  /// The affected messages, announcements, conversations, identities or records, by side.
  private(set) var rows: [Set<RowReference>] = [[], []]
  /// The affected ranges of messages, as creation sequences by conversation; they hold for both sides.
  private(set) var conversations: [UInt32: ClosedRange<UInt64>] = [:]

  /// Finds the rows that a change log entry affects; nil if the entry does not name the changed objects.
  init?(_ aggregate: CompiledAggregate, by entry: ChangeLogEntry, from before: Snapshot, to after: Snapshot)
    throws
  {
    for range in entry.ranges {
      guard case .conversation(let row) = range.scope else { return nil }
      let known = conversations[row] ?? range.sequences
      conversations[row] =
        min(
          known.lowerBound, range.sequences.lowerBound)...max(
          known.upperBound, range.sequences.upperBound)
    }
    // Whatever was declared before the write is declared after it.
    let recordType = try aggregate.recordType.flatMap { try after.recordType(named: $0)?.id }
    let dependence = ConversationDependence(aggregate, before, after)
    var renamed: Set<UInt32> = []
    for change in entry.changes {
      switch (aggregate.kind, change.object) {
      case (.messages, .message(let key)), (.parts, .message(let key)):
        if !key.isAnnouncement {
          insert(RowReference(sequence: key.sequence, conversation: key.conversation), change.action)
        }
      case (.announcements, .message(let key)):
        if key.isAnnouncement { insert(RowReference(sequence: key.sequence), change.action) }
      case (.conversations, .conversation(let row)), (.identities, .identity(let row)):
        insert(RowReference(sequence: UInt64(row)), change.action)
      case (.records, .record(let key)) where key.type == recordType:
        insert(RowReference(key), change.action)
      case (.messages, .conversation(let row)), (.parts, .conversation(let row)):
        if try dependence.matters(row) { conversations[row] = 0...UInt64.max }
      case (.messages, .identity(let row)), (.parts, .identity(let row)),
        (.announcements, .identity(let row)):
        if aggregate.looksAtSenderNames, let user = try Self.renamedUser(row, change.action, before, after) {
          renamed.insert(user)
        }
      default: break
      }
    }
    guard !renamed.isEmpty else { return }
    try insert(messagesOf: renamed, aggregate.kind, .before, before)
    try insert(messagesOf: renamed, aggregate.kind, .after, after)
  }

  /// Returns whether a row's message is already counted with a range of its conversation.
  func isCovered(_ row: RowReference) -> Bool {
    conversations[row.conversation]?.contains(row.sequence) ?? false
  }

  private mutating func insert(_ row: RowReference, _ action: LoggedChange.Action) {
    if action != .created { rows[Side.before.rawValue].insert(row) }
    if action != .deleted { rows[Side.after.rawValue].insert(row) }
  }

  /// Returns the user of an identity whose display name has changed; nil if the name is the same. An identity that an import has staged
  /// has a record before the write that creates it.
  private static func renamedUser(
    _ row: UInt32, _ action: LoggedChange.Action, _ before: Snapshot, _ after: Snapshot
  ) throws -> UInt32? {
    let old = action == .created ? nil : try before.findIdentity(row)
    let new = try after.findIdentity(row)
    func name(_ view: IdentityView?) -> [UInt8]? { unsafe view?.bytes(of: .displayName).map(Array.init) }
    return name(old) == name(new) ? nil : (new ?? old)?.user
  }

  private mutating func insert(
    messagesOf users: Set<UInt32>, _ kind: ObjectKind, _ side: Side, _ snapshot: Snapshot
  ) throws {
    if kind == .announcements {
      let index = IndexCatalog.announcementCreated
      var cursor = try snapshot.forest.cursor(index.tree)
      while let row = try cursor.next() {
        guard users.contains(try snapshot.announcement(index.sequence(of: row)).sender) else { continue }
        rows[side.rawValue].insert(RowReference(sequence: index.sequence(of: row)))
      }
      return
    }
    for user in users {
      let range = KeyRange.prefix(Words(UInt64(user)), columns: 1)
      let index = IndexCatalog.messageSender
      var cursor = try snapshot.forest.cursor(index.tree)
      try cursor.seek(to: range.lower)
      while let row = try cursor.next(), range.contains(row) {
        rows[side.rawValue].insert(
          RowReference(sequence: index.sequence(of: row), conversation: index.conversation(of: row)))
      }
    }
  }
}

/// Decides whether a changed conversation can have changed anything for its messages. Most changes do not, although
/// each new message changes its conversation.
private struct ConversationDependence {
  private let before: Snapshot
  private let after: Snapshot
  private let tests: [(before: ConditionEvaluator, after: ConditionEvaluator)]
  private let sides: [(before: ElementsReader, after: ElementsReader)]
  private let values: [(before: PropertyReader, after: PropertyReader)]

  init(_ aggregate: CompiledAggregate, _ before: Snapshot, _ after: Snapshot) {
    self.before = before
    self.after = after
    func evaluator(_ test: Condition, _ snapshot: Snapshot) -> ConditionEvaluator {
      ConditionEvaluator(test, of: .conversations, on: nil, in: snapshot)
    }
    func reader(_ property: ObjectProperty, _ snapshot: Snapshot) -> PropertyReader {
      PropertyReaders(snapshot: snapshot, kind: .conversations, index: nil).reader(of: property)
    }
    tests = aggregate.conversationTests.map { (evaluator($0, before), evaluator($0, after)) }
    sides = aggregate.conversationSides.map { property, pair in
      let before = TestCompiler(snapshot: before, kind: .conversations, index: nil)
      let after = TestCompiler(snapshot: after, kind: .conversations, index: nil)
      return (before.elements(of: property, in: pair), after.elements(of: property, in: pair))
    }
    values = aggregate.conversationValues.map { (reader($0, before), reader($0, after)) }
  }

  func matters(_ row: UInt32) throws -> Bool {
    let wasVisible = try before.findConversation(row)?.isVisible ?? false
    let isVisible = try after.findConversation(row)?.isVisible ?? false
    guard wasVisible && isVisible else { return wasVisible || isVisible }
    var old = RowContext()
    var new = RowContext()
    old.begin(RowReference(sequence: UInt64(row)))
    new.begin(RowReference(sequence: UInt64(row)))
    for test in tests where try test.before.matches(&old) != test.after.matches(&new) { return true }
    for side in sides {
      let (old, new) = (try side.before(&old), try side.after(&new))
      guard old.elementsEqual(new, by: { $0.isSame(as: $1) }) else { return true }
    }
    for value in values where try AggregateGroup(value.before(&old)) != AggregateGroup(value.after(&new)) {
      return true
    }
    return false
  }
}
