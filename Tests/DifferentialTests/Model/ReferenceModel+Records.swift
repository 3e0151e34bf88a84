/// Lines of record types and of records.
extension ReferenceModel {
  func declareRecordType(_ line: JSONValue) throws {
    guard let name = try line.text("name"), MetadataTree.isName(name), name.utf8.count <= 64 else {
      throw LineError("no name of a record type")
    }
    var type = recordTypes[name] ?? ModelRecordType(name: name)
    for member in line["fields"]?.members ?? [] {
      guard case .string(let spelling) = member.value else { throw LineError("no type of a field") }
      guard MetadataTree.isName(member.key), !ModelRecord.reservedNames.contains(member.key) else {
        throw LineError("no name of a field")
      }
      var field = ModelRecordType.Field(type: spelling)
      if let action = try line["onDelete"]?.text(member.key) {
        guard let known = ModelRecordType.Action(rawValue: action.string) else {
          throw LineError("no action")
        }
        field.action = known
      }
      guard type.fields[member.key]?.type ?? spelling == spelling else {
        throw LineError("the field has another type")
      }
      for record in records.values where record.id.type == name {
        guard record.values[member.key].map(field.accepts) ?? true else {
          throw LineError("a record has a value of another type")
        }
      }
      type.fields[member.key] = field
    }
    recordTypes[name] = type
    if !recordTypeOrder.contains(name) { recordTypeOrder.append(name) }
  }

  func addRecord(_ line: JSONValue) throws {
    guard let type = try line.text("type"), recordTypes[type] != nil else { throw LineError("unknown type") }
    let given = ModelReference(type: type, name: try line.identifier("identifier"))
    let id = keptID(given)
    guard records[id] == nil else { throw LineError("repeated identifier") }
    guard let createdAt = try line.date("createdAt") else { throw LineError("the model has no clock") }
    let createdBy = try line.user("createdBy") ?? user
    let fields = keptFields(given, try fields(of: line, type))
    try checkResponse(id, fields)
    records[id] = ModelRecord(
      creation: takeCreation(), id: id, owner: try line.user("owner") ?? user, createdAt: createdAt,
      createdBy: createdBy, updatedAt: try line.date("updatedAt") ?? createdAt,
      updatedBy: try line.user("updatedBy") ?? createdBy, fields: fields)
    keep(id)
  }

  func updateRecord(_ line: JSONValue, _ changes: JSONValue) throws {
    let id = keptID(try line.reference("record"))
    guard var record = records[id] else { throw LineError("unknown record") }
    if let owner = try changes.user("owner") { record.owner = owner }
    if changes.has("fields") { record.fields = keptFields(id, try fields(of: changes, id.type)) }
    guard let date = try changes.date("updatedAt") else { throw LineError("the model has no clock") }
    record.updatedAt = date
    let editor = try changes.user("updatedBy")
    if let editor { record.updatedBy = editor }
    guard record != records[id] else { return }
    try checkResponse(id, record.fields)
    record.updatedBy = editor ?? user
    records[id] = record
    keep(id)
  }

  func deleteRecord(_ line: JSONValue) throws {
    let id = keptID(try line.reference("record"))
    guard records.removeValue(forKey: id) != nil else { throw LineError("unknown record") }
    removed.insert(id)
  }

  private func fields(of line: JSONValue, _ type: ByteString) throws -> MetadataTree {
    guard let value = line["fields"] else { return .empty }
    guard case .object = value else { throw LineError("fields is no object") }
    let fields = try MetadataTree(checking: value, isValue: false, mayRefer: true)
    guard case .dictionary(let values) = fields else { return .empty }
    for (key, value) in values {
      guard !ModelRecord.reservedNames.contains(key) else { throw LineError("\(key) is no field") }
      guard recordTypes[type]?.fields[key]?.accepts(value) ?? true else {
        throw LineError("\(key) has a value of another type")
      }
    }
    return fields
  }

  /// Takes note of a record that was brought or changed after something was deleted.
  func keep(_ id: ModelReference) {
    if !removed.isEmpty { kept.insert(id) }
  }
}

/// What becomes of records when what they refer to is deleted.
extension ReferenceModel {
  /// Ends a write, or an import.
  ///
  /// Records whose declared fields refer to what is gone lose these fields, or go as well, and so on. Of an import, the ones stay as
  /// they are that its lines have brought or changed after the first deletion.
  /// - Parameter isImport: Whether this was an import.
  /// - Throws: `Restriction` if a record that stays restricts the deletion of something. Then all of the write is refused, and whoever makes
  ///   it brings the state before it back.
  @discardableResult
  func settle(isImport: Bool) throws(Restriction) -> Consequences {
    let kept = isImport ? kept : []
    var gone = removed.filter { !isThere($0) }
    (removed, self.kept) = ([], [])
    var deleted: Set<ModelReference> = []
    var lost: [ModelReference: Set<ByteString>] = [:]
    var restricting: Set<Restriction.Reference> = []
    while !gone.isEmpty {
      var next: Set<ModelReference> = []
      for record in records.values where !kept.contains(record.id) {
        for (key, value) in record.values {
          guard case .reference(let target) = value, gone.contains(target),
            let field = recordTypes[record.id.type]?.fields[key]
          else { continue }
          switch field.action(for: target.type) {
          case .restrict: restricting.insert(.init(record: record.id, field: key, object: target))
          case .nullify: lost[record.id, default: []].insert(key)
          case .cascade: if deleted.insert(record.id).inserted { next.insert(record.id) }
          }
        }
      }
      gone = next
    }
    restricting = restricting.filter { !deleted.contains($0.record) }
    guard restricting.isEmpty else { throw Restriction(references: restricting) }
    for id in deleted { records[id] = nil }
    lost = lost.filter { !deleted.contains($0.key) }
    for (id, keys) in lost {
      guard var record = records[id] else { continue }
      for key in keys { record.fields.remove(at: [key]) }
      record.updatedBy = user
      records[id] = record
      nullified.insert(id)
    }
    invalidateSnapshot()
    return Consequences(deleted: deleted.count, nullified: lost.count)
  }

  /// How many records have gone with what they refer to, and how many have lost a field.
  struct Consequences: Equatable {
    var deleted = 0
    var nullified = 0
  }

  /// Why a write is refused.
  struct Restriction: Error {
    struct Reference: Hashable {
      let record: ModelReference
      let field: ByteString
      let object: ModelReference
    }

    /// Each reference of a record that stays to an object that would go.
    let references: Set<Reference>
  }

  /// Whether there is an object of that name now.
  private func isThere(_ reference: ModelReference) -> Bool {
    switch reference.type {
    case "messages": message(named: reference.name) != nil
    case "conversations": conversation(named: reference.name) != nil
    case "identities": identities[reference.name] != nil
    default: records[reference] != nil
    }
  }

  /// Takes note of a message or a conversation that is deleted, by each of its names.
  func noteRemoval(_ type: ByteString, _ names: [ByteString?]) {
    for case let name? in names { removed.insert(ModelReference(type: type, name: name)) }
  }
}

extension JSONValue {
  fileprivate var members: [Member] { if case .object(let members) = self { members } else { [] } }

  fileprivate func user(_ key: ByteString) throws -> ByteString? {
    self[key] == nil ? nil : try identifier(key)
  }

  fileprivate func reference(_ key: ByteString) throws -> ModelReference {
    guard let value = self[key] else { throw LineError("no \(key)") }
    return try value.reference()
  }

  /// The reference that an array of two texts is.
  func reference() throws -> ModelReference {
    guard case .array(let elements) = self, elements.count == 2, case .string(let type) = elements[0],
      case .string(let name) = elements[1], MetadataTree.isName(type), type.utf8.count <= 64, !name.isEmpty,
      !name.utf8.contains(0), name.utf8.count <= 2_048, !["parts", "announcements", "records"].contains(type)
    else { throw LineError("no reference") }
    return ModelReference(type: type, name: name)
  }
}
