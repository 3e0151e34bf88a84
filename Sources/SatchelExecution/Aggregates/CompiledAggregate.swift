package import SatchelCoding
package import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// An aggregate's definition, checked and normalised.
struct CompiledAggregate: Sendable {
  let kind: ObjectKind
  let condition: Condition
  /// The property that the objects are grouped by; nil for a single group.
  let group: ObjectProperty?
  let measure: AggregateEntry.Measure
  /// The property that is measured; nil only to count the objects.
  let measured: ObjectProperty?

  /// - Throws: ``SatchelError`` for a predicate that cannot be asked, or a property that objects cannot be grouped by
  ///   or that cannot be measured.
  init(_ entry: AggregateEntry, user: String) throws {
    kind = ObjectKind(entry.kind)
    let normalizer = Normalizer(kind: kind, user: Identity.ID(user))
    condition = try normalizer.condition(
      for: QueryPredicate(format: String(decoding: entry.predicate, as: UTF8.self)))
    group = try Self.property(entry.group, of: kind)
    measure = entry.measure
    measured = try Self.property(entry.property, of: kind)
    if let group, !group.isSortable {
      throw SatchelError(
        .unsupportedSort,
        "Aggregates group by texts, identifiers, numbers, dates and Booleans that an object has one of",
        ["property": group.path.spelledPath])
    }
    guard let measured else { return }
    let isMeasurable =
      switch measure {
      case .count, .minimum, .maximum: measured.isSortable
      case .sum: measured.isSortable && measured.type == .number
      case .exactSum: measured.isSortable && measured.type == .custom
      }
    guard isMeasurable else {
      throw SatchelError(
        .unsupportedSort,
        measure == .sum || measure == .exactSum
          ? "Aggregates add up numbers that an object has one of"
          : "Aggregates have a minimum or a maximum of texts, identifiers, numbers, dates and Booleans that an object has one of",
        ["property": measured.path.spelledPath])
    }
  }

  private static func property(_ path: [UInt8]?, of kind: ObjectKind) throws -> ObjectProperty? {
    try path.map { try ObjectProperty(path: SortKey(String(decoding: $0, as: UTF8.self)).path, of: kind) }
  }

  /// Every property that the aggregate reads. For parts, a property of the message is given as one of the message
  /// itself.
  private var properties: [ObjectProperty] {
    (condition.properties + [group, measured].compactMap { $0 }).map {
      $0.stripping(.message) ?? $0
    }
  }

  // MARK: What it looks at beyond its objects

  /// The tests on the conversations of its messages, as tests of the conversation itself.
  var conversationTests: [Condition] {
    (condition.tests.map(Condition.test) + condition.pairs.map(Condition.pair)).compactMap { test in
      (test.stripping(.message) ?? test).stripping(.conversation)
    }
  }

  /// The conversation's properties that are compared with one of another object, each with the comparison: the values decide.
  var conversationSides: [(property: ObjectProperty, pair: PropertyPair)] {
    condition.pairs.flatMap { pair in
      let sides = pair.properties.map { ($0.stripping(.message) ?? $0).stripping(.conversation) }
      guard sides.contains(nil) else { return [(property: ObjectProperty, pair: PropertyPair)]() }
      return sides.compactMap { side in
        side == ObjectProperty([], .identifier) ? nil : side.map { (property: $0, pair: pair) }
      }
    }
  }

  /// The values that its messages take from their conversations, without the identifier, which never changes.
  var conversationValues: [ObjectProperty] {
    [group, measured].compactMap { property in
      guard let property else { return nil }
      let inner = (property.stripping(.message) ?? property).stripping(.conversation)
      return inner == ObjectProperty([], .identifier) ? nil : inner
    }
  }

  /// True if the display name of a sender matters.
  var looksAtSenderNames: Bool { properties.contains(ObjectProperty([.sender], .displayName)) }
}

extension ObjectKind {
  package init(_ kind: AggregateEntry.Kind) {
    self =
      switch kind {
      case .conversations: .conversations
      case .messages: .messages
      case .parts: .parts
      case .announcements: .announcements
      case .identities: .identities
      }
  }
}

extension AggregateEntry.Kind {
  package init(_ kind: ObjectKind) {
    self =
      switch kind {
      case .conversations: .conversations
      case .messages: .messages
      case .parts: .parts
      case .announcements: .announcements
      case .identities: .identities
      }
  }
}
