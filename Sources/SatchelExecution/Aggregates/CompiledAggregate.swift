package import SatchelCoding
package import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// An aggregate's definition, checked and normalised.
struct CompiledAggregate: Sendable {
  let kind: ObjectKind
  /// The name of the type whose records count; nil of other kinds.
  let recordType: String?
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
    try kind.check(recordType: entry.recordType, ["aggregate": String(decoding: entry.name, as: UTF8.self)])
    recordType = entry.recordType.map { String(decoding: $0, as: UTF8.self) }
    let normalizer = Normalizer(kind: kind, user: Identity.ID(user))
    condition = try normalizer.condition(
      for: QueryPredicate(format: String(decoding: entry.predicate, as: UTF8.self)))
    guard !condition.asksForRelations else {
      throw SatchelError(
        .unsupportedPredicate,
        "An aggregate asks for no relations between users: one may change without the objects that are counted",
        ["aggregate": String(decoding: entry.name, as: UTF8.self)])
    }
    group = try Self.property(entry.group, of: kind)
    measure = entry.measure
    measured = try Self.property(entry.property, of: kind)
    if let group, !group.isSortable {
      throw SatchelError(
        .unsupportedSort,
        "Aggregates group by texts, identifiers, numbers, dates, Booleans and references that an object has one of",
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
          : "Aggregates have a minimum or a maximum of texts, identifiers, numbers, dates, Booleans and references that an object has one of",
        ["property": measured.path.spelledPath])
    }
  }

  private static func property(_ path: [UInt8]?, of kind: ObjectKind) throws -> ObjectProperty? {
    try path.map { try ObjectProperty(path: SortKey(String(decoding: $0, as: UTF8.self)).path, of: kind) }
  }

  /// Every property that the aggregate reads. For parts, a property of the message is given as one of the message
  /// itself.
  var properties: [ObjectProperty] {
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
      case .records: .records
      }
  }
}

extension ObjectKind {
  /// Checks that what is declared of records names their type, and nothing else does.
  func check(recordType: [UInt8]?, _ context: [String: String]) throws {
    switch (self, recordType) {
    case (.records, nil):
      throw SatchelError(
        .invalidValue, "What is declared of records names their type: give it the record type", context)
    case (.records, _?), (_, nil): break
    case (_, let name?):
      throw SatchelError(
        .invalidValue, "Only what is declared of records names a record type",
        context.merging(["kind": rawValue, "recordType": String(decoding: name, as: UTF8.self)]) { $1 })
    }
  }
}

extension Snapshot {
  /// Checks that what is declared of records has only fields of their own. Its texts are read without the declared fields, so that a
  /// path through a reference, or below another declared field, would be one into a dictionary, which no record has there.
  /// - Throws: ``SatchelError`` `unsupportedPredicate`, or that of a path that leads to nothing, such as `tags.each` of declared texts.
  func check(_ properties: [ObjectProperty], ofType name: [UInt8]?, _ context: [String: String]) throws {
    guard let name, let type = try recordType(named: String(decoding: name, as: UTF8.self)) else { return }
    let queried = QueriedType(type.type, among: try recordTypes().map(\.type))
    for property in properties where property.path.count > 1 {
      let meant: ObjectProperty
      do { meant = try queried.property(property.path) } catch let error as SatchelError {
        throw error.adding(context)
      }
      guard meant != property else { continue }
      throw SatchelError(
        .unsupportedPredicate,
        "What is declared of records has only their own fields: what one refers to may change without it",
        context.merging(["property": property.path.spelledPath]) { $1 })
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
      case .records: .records
      }
  }
}
