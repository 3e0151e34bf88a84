import TestSupport

/// Queries for records, as the screens of an application make them.
extension QueryGenerator {
  /// One of the types, those of many records more often.
  mutating func recordKind() -> ObjectKind {
    let types = snapshot.recordTypes.map { type in
      (weight: 1 + snapshot.records[type, default: []].count, element: ObjectKind.records(type))
    }
    return random.pick(weighted: types)
  }

  /// A query for the records that refer to something, or that are open or due; nil without such records.
  mutating func typicalRecordQuery() -> GeneratedQuery? {
    guard !snapshot.recordTypes.isEmpty, case .records(let type) = recordKind(),
      let reference = reference(ofRecords: type)
    else { return nil }
    let predicate = random.pick([
      reference, "done = FALSE AND \(reference)", "NOT done AND \(reference)", "done = FALSE",
      "due < 2023-11-15T12:00:00Z AND done != TRUE", "due = nil", "'urgent' IN tags", "list = about",
      "list != nil AND \(reference)", "list IN {REFERENCE('list', 'work'), REFERENCE('list', 'home')}",
      "\(reference) OR order > 3", "owner = createdBy AND \(reference)", "createdAt < updatedAt",
      "owner = user", "NONE tags = 'Lunch' AND \(reference)", "order BETWEEN {1, 5}", "value = list",
      "list.title = 'Lunch' AND done = FALSE", "list.owner = owner", "after.list.rank > 1 OR \(reference)",
      "message.isUnread = TRUE AND \(reference)", "who.displayName != nil",
      "room.participants CONTAINS 'bob'",
      "list.parent.title != title", "NOT message.conversation.hasUnreadMessages = TRUE",
    ])
    let sort = random.pick([
      [], ["order"], ["-due"], ["list", "order"], ["-order", "title"], ["-updatedAt"], ["createdAt"],
      ["about"],
      ["owner", "-createdAt"], ["list.title", "order"], ["-message.position"], ["after.list.rank", "-title"],
    ])
    return GeneratedQuery(
      kind: type.string, predicate: predicate, sort: sort, limit: random.percent(50) ? 20 : nil,
      offset: random.percent(25) ? random.below(40) : nil, select: random.percent(25) ? .count : .identifiers)
  }

  /// In text, that a field of a type has a reference that a record of the type has there: of another type, the field may be declared otherwise.
  private mutating func reference(ofRecords type: ByteString) -> String? {
    let records = snapshot.records[type, default: []]
    for _ in 0..<20 where !records.isEmpty {
      let references = random.pick(records).values.sorted { $0.key < $1.key }.filter { $0.value.isReference }
      guard !references.isEmpty else { continue }
      let (key, value) = random.pick(references)
      guard case .reference(let reference) = value else { continue }
      return text(
        of: .comparison(.init(path: PropertyPath([key]), operation: .equal, operand: .reference(reference))))
    }
    return nil
  }

  /// A condition that leaves one run of an index of records, or few.
  mutating func typicalFilter(ofRecords type: ByteString) -> String {
    let name = snapshot.records[type, default: []].first?.id.name ?? "none"
    return random.pick([
      reference(ofRecords: type) ?? "list = nil", "done = FALSE", "order > 1", "order = 1", "title = 'Lunch'",
      "title BEGINSWITH 'L'", "tags = 'Lunch'", "list != nil", "identifier > \(quoted(name))",
      "identifier = \(quoted(name))", "owner = 'alice'", "value = 5", "createdAt > 2023-11-15T00:00:00Z",
      "list = REFERENCE('list', 'work') OR order = 1", "done = TRUE AND order > 1", "list.title = 'Lunch'",
      "list.owner = 'alice'", "message.isUnread = TRUE",
      "after.list = REFERENCE('list', 'work')",
    ])
  }

  /// A reference near a given one: mostly the same.
  mutating func variant(of reference: ModelReference) -> ModelReference {
    switch random.below(12) {
    case 0:
      return ModelReference(
        type: random.pick(["list", "todo", "messages", "conversations", "identities", "none"]),
        name: reference.name)
    case 1: return ModelReference(type: reference.type, name: nonEmpty(variant(of: reference.name)))
    case 2: return ModelReference(type: reference.type, name: nonEmpty(reference.name.decomposed))
    case 3: return anyReference()
    default: return reference
    }
  }

  private func nonEmpty(_ name: ByteString) -> ByteString { name.isEmpty ? "x" : name }

  /// A reference to something that is there, or that is not.
  mutating func anyReference() -> ModelReference {
    switch random.below(5) {
    case 0 where !snapshot.messages.isEmpty:
      let message = random.pick(snapshot.messages).record
      return ModelReference(
        type: "messages",
        name: random.percent(50) ? message.identifier : message.remoteID ?? message.identifier)
    case 1 where !snapshot.identities.isEmpty:
      return ModelReference(type: "identities", name: random.pick(snapshot.identities).userID)
    case 2: return ModelReference(type: "conversations", name: "c1")
    default:
      let records = snapshot.recordTypes.flatMap { snapshot.records[$0, default: []] }
      return records.isEmpty ? ModelReference(type: "list", name: "none") : random.pick(records).id
    }
  }

  /// A literal of any type that a value of a field may have.
  mutating func anyLiteral() -> Predicate.Literal {
    switch random.below(7) {
    case 0: .reference(anyReference())
    case 1: .boolean(random.percent(50))
    case 2: .date(1_700_000_000_000_000 + Int64(random.below(40)) * 3_600_000_000)
    case 3: .double(random.pick([0, 2.5, 5, -0.5]))
    case 4, 5: .integer(Int64(random.below(6)))
    default: .string(random.pick(["", "5", "Lunch", "work", "alice", "list"]))
    }
  }
}

extension MetadataTree {
  var isReference: Bool { if case .reference = self { true } else { false } }
}
