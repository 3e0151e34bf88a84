import TestSupport

/// Changes of records of the types that the sample declares.
extension ChangeGenerator {
  mutating func recordChange() -> Change {
    if model.recordTypes[Relations.type] != nil, random.percent(20) { return edgeChange() }
    return switch random.below(10) {
    case 0..<4: .createRecord(content(of: random.percent(10) ? recordID() : newRecordID()))
    case 4..<8: .updateRecord(content(of: recordID()))
    default: .deleteRecord(random.percent(50) ? referredID() : recordID())
    }
  }

  private mutating func newRecordID() -> ModelReference {
    let type: ByteString =
      random.percent(2) ? "nothing" : random.pick(["todo", "todo", "todo", "list", "note"])
    // A few names come again, of records that were deleted.
    return ModelReference(
      type: type,
      name: ByteString(random.percent(25) ? "again \(random.below(6))" : newName("r")))
  }

  private mutating func recordID() -> ModelReference {
    if model.records.isEmpty || random.percent(2) { return ModelReference(type: "todo", name: "no record") }
    // Those of the library's types say of themselves what they are called.
    let names = model.records.keys.filter { $0.type != Relations.type && !Responses.types.contains($0.type) }
    return names.isEmpty
      ? ModelReference(type: "todo", name: "no record") : random.pick(names.sorted { $0.bytes < $1.bytes })
  }

  /// An edge between two users comes, mostly, or goes.
  private mutating func edgeChange() -> Change {
    let edges = model.records.keys.filter { $0.type == Relations.type }.sorted { $0.bytes < $1.bytes }
    if !edges.isEmpty, random.percent(40) { return .deleteRecord(random.pick(edges)) }
    let (kind, from) = (random.pick(Relations.kinds), ByteString(user()))
    var to = ByteString(user())
    if to == from { to = "nobody else" }
    return .createRecord(
      Change.RecordContent(
        id: ModelReference(type: Relations.type, name: Relations.name(kind, from, to)), owner: nil,
        createdAt: date(), createdBy: nil, updatedAt: date(), updatedBy: nil,
        fields: .dictionary(Relations.fields(kind, from, to)), isSaved: false))
  }

  /// A record to which a declared field of another one refers, so that something becomes of that one.
  private mutating func referredID() -> ModelReference {
    let referred = model.records.values.flatMap { record -> [ModelReference] in
      let fields = model.recordTypes[record.id.type]?.fields ?? [:]
      return record.values.compactMap { key, value in
        guard fields[key] != nil, case .reference(let target) = value, target != record.id else { return nil }
        return model.records[target]?.id
      }
    }
    return referred.isEmpty ? recordID() : random.pick(Set(referred).sorted { $0.bytes < $1.bytes })
  }

  private mutating func content(of id: ModelReference) -> Change.RecordContent {
    var fields = fields(of: id.type)
    // What is there already, but for a little, so that an update may change nothing.
    if let old = model.records[id], random.percent(40) {
      fields = old.values
      if random.percent(70) {
        fields[random.pick(["order", "value", "note"])] = .integer(Int64(random.below(4)))
      }
    }
    return Change.RecordContent(
      id: id, owner: random.percent(30) ? user() : nil, createdAt: date(),
      createdBy: random.percent(60) ? user() : nil, updatedAt: date(),
      updatedBy: random.percent(60) ? user() : nil, fields: .dictionary(fields),
      isSaved: random.percent(50))
  }

  private mutating func fields(of type: ByteString) -> [ByteString: MetadataTree] {
    var fields: [ByteString: MetadataTree] = [:]
    for (key, field) in (model.recordTypes[type]?.fields ?? [:]).sorted(by: { $0.key < $1.key })
    where random.percent(55) {
      // Now and then one of another type, which is refused.
      fields[key] = random.percent(1) ? .list(["wrong"]) : declaredValue(field)
    }
    for key in ["value", "note", "user", "ref", "theme", "two words"] as [ByteString] where random.percent(20)
    {
      fields[key] = random.percent(30) ? .reference(reference(to: nil)) : value()
    }
    if random.percent(15) {
      fields["shown"] = .dictionary([
        "color": .text(ByteString(text())), "to": .reference(reference(to: nil)),
      ])
    }
    return fields
  }

  private mutating func declaredValue(_ field: ModelRecordType.Field) -> MetadataTree {
    switch field.type {
    case "text": .text(ByteString(text()))
    case "integer": .integer(Int64(random.below(6)))
    case "number":
      random.percent(50) ? .integer(Int64(random.below(4))) : .number(random.pick([0.5, 2, 2.5]))
    case "boolean": .boolean(random.percent(50))
    case "date": .date(date())
    case "texts": .list((0..<random.below(4)).map { _ in ByteString(text()) })
    default: .reference(reference(to: field.target))
    }
  }

  private mutating func reference(to target: ByteString?) -> ModelReference {
    let type = target ?? random.pick(["list", "todo", "messages", "conversations", "identities"])
    if random.percent(8) { return ModelReference(type: type, name: "nowhere") }
    switch type {
    case "messages": return ModelReference(type: type, name: ByteString(messageID()))
    case "conversations": return ModelReference(type: type, name: ByteString(conversation()))
    case "identities": return ModelReference(type: type, name: ByteString(user()))
    default:
      let names = model.records.keys.filter { $0.type == type }.map(\.name).sorted()
      return ModelReference(type: type, name: names.isEmpty ? "nowhere" : random.pick(names))
    }
  }
}
