internal import SatchelModel
internal import SatchelRecords
package import SatchelWriting

/// Types of applications, and records of them. There are few names, so that records are replaced, deleted and made again.
extension RandomOperations {
  private static let typeNames = ["list", "todo", "note", "Z-9_"]
  /// Fields, and the types that they mostly have.
  private static let fields: [(name: String, type: FieldType)] = [
    ("title", .text), ("order", .integer), ("share", .number), ("done", .boolean), ("due", .date),
    ("tags", .texts), ("list", .reference(to: "list")), ("about", .reference(to: nil)),
  ]
  /// Those that are declared. In a declared field of references, the deletion of what it refers to changes the record, which is what
  /// `RandomReferenceTests` is about; this model knows of none.
  private static let declarable = fields.filter { !$0.type.isReference }
  private static let names = [
    "1", "2", "3", "a/b", "\u{E9}", "e\u{301}", String(repeating: "name ", count: 60), "x y",
  ]

  /// One random operation on records, or on their types.
  mutating func changeRecords(_ writer: Writer?) throws {
    guard ownTypes.count > 1 else { return try declareTypes(writer) }
    switch generator.draw(below: 20) {
    case 0, 1: try declareTypes(writer)
    case 2..<9: try saveRecord(writer)
    case 9, 10: try insertRecord(writer)
    case 11..<15: try updateRecord(writer)
    case 15: try mergeRecord(writer)
    case 16: try refuseRecord(writer)
    default: try deleteRecord(writer)
    }
  }

  // MARK: Types

  /// The types of applications.
  private var ownTypes: [RecordType] { model.recordTypes.filter { !RecordType.isLibraryName($0.name) } }

  /// Declares a type, or two that may refer to each other, or adds fields to one that may have records.
  private mutating func declareTypes(_ writer: Writer?) throws {
    let first = generator.draw(below: Self.typeNames.count)
    let count = generator.chance(30) ? 2 : 1
    let types = (0..<count).map { place in
      let fields = (0..<generator.draw(below: 4)).map { _ in
        let field = generator.draw(from: Self.declarable)
        let type = generator.chance(90) ? field.type : generator.draw(from: Self.declarable).type
        return RecordType.Field(name: field.name, type: type)
      }
      return RecordType(Self.typeNames[(first + place) % Self.typeNames.count], fields: fields)
    }
    guard model.canDeclare(types) else {
      return try expectRefused(writer, [.recordTypeDiffers, .unknownRecordType], "\(types)") {
        try $0.declare(types)
      }
    }
    try writer?.declare(types)
    model.declare(types)
  }

  /// Declares a type with a name of its own, without fields.
  package mutating func declareType(_ writer: Writer?, named name: String) throws {
    let type = RecordType(name)
    try writer?.declare([type])
    model.declare([type])
  }

  /// Adds fields to a type that has records: those of which no record has a value of another type.
  package mutating func declareFields(_ writer: Writer?, ofType name: String) throws {
    let fields = Self.declarable.map { RecordType.Field(name: $0.name, type: $0.type) }
      .filter { model.canDeclare([RecordType(name, fields: [$0])]) }
    let type = RecordType(name, fields: fields)
    try writer?.declare([type])
    model.declare([type])
  }

  /// The type of a field in a type whose records refer to each other.
  private static func type(_ field: (name: String, type: FieldType), of name: String) -> FieldType {
    field.name == "list" ? .reference(to: name) : field.type
  }

  // MARK: Records

  /// Saves records of one type with values of all types, in fields that are declared or not.
  package mutating func saveRecords(_ writer: Writer?, _ count: Int, ofType name: String) throws {
    for _ in 0..<count {
      var fields = Metadata()
      for field in Self.fields where generator.chance(70) {
        fields.set(someValue(of: Self.type(field, of: name)), forKey: field.name)
      }
      try save(Record(id: Record.ID(type: name, name: "\(name) \(model.counter)"), fields), writer)
    }
  }

  /// Deletes one of the records of a type, if there are any.
  package mutating func deleteRecord(_ writer: Writer?, ofType name: String) throws {
    let ids = model.records.keys.filter { $0.type == name }.sorted()
    guard !ids.isEmpty else { return }
    try delete(generator.draw(from: ids), writer)
  }

  private mutating func someRecord() -> Record.ID? {
    let ids = model.records.keys.filter { !$0.isOfLibrary }.sorted()
    return ids.isEmpty ? nil : generator.draw(from: ids)
  }

  private mutating func saveRecord(_ writer: Writer?) throws {
    let type = generator.draw(from: ownTypes)
    var record = Record(id: Record.ID(type: type.name, name: generator.draw(from: Self.names)))
    if generator.chance(30) { record.owner = generator.draw(from: Self.users) }
    record.fields = someFields(of: type)
    // What is there already changes nothing.
    if generator.chance(20), let old = model.records[record.id] { record.fields = old.fields }
    try save(record, writer)
  }

  private mutating func save(_ record: Record, _ writer: Writer?) throws {
    let found = try writer?.save(record)
    model.save(record.id, owner: record.owner, record.fields)
    try compare(found, record.id)
  }

  /// A record of another source, with dates and users.
  private mutating func insertRecord(_ writer: Writer?) throws {
    let record = someSource(of: generator.draw(from: ownTypes))
    if model.records[record.id] != nil {
      return try expectRefused(writer, [.identifierExists], "\(record)") { try $0.insert(record) }
    }
    try writer?.insert(record)
    model.insert(record)
  }

  private mutating func updateRecord(_ writer: Writer?) throws {
    guard let id = someRecord(), let old = model.records[id],
      let type = model.recordTypes.first(where: { $0.name == id.type })
    else { return }
    var fields = old.fields
    let others = someFields(of: type)
    for (name, _) in Self.fields where generator.chance(25) {
      fields.set(others.value(forKey: name), forKey: name)
    }
    let owner = generator.chance(20) ? generator.draw(from: Self.users) : nil
    let editor = generator.chance(30) ? generator.draw(from: Self.users) : nil
    let date = generator.chance(30) ? someDate() : nil
    let found = try writer?.update(record: id, as: editor, at: date) { record in
      record.fields = fields
      record.owner = owner ?? record.owner
    }
    model.save(id, owner: owner, fields, as: editor, at: date)
    try compare(found, id)
  }

  private mutating func mergeRecord(_ writer: Writer?) throws {
    guard let id = someRecord(), let type = model.recordTypes.first(where: { $0.name == id.type }) else {
      return
    }
    let other = someSource(of: type)
    var source = Record(id: id, owner: other.owner, other.fields)
    source.updatedBy = other.updatedBy
    source.updatedTimestamp = other.updatedTimestamp
    try writer?.merge(source)
    model.merge(source)
  }

  private mutating func deleteRecord(_ writer: Writer?) throws {
    if let id = someRecord() { try delete(id, writer) }
  }

  private mutating func delete(_ id: Record.ID, _ writer: Writer?) throws {
    try writer?.delete(record: id)
    model.records[id] = nil
  }

  /// What cannot be, which changes nothing.
  private mutating func refuseRecord(_ writer: Writer?) throws {
    let type = generator.draw(from: ownTypes)
    let id = Record.ID(type: type.name, name: "none")
    let name = type.fields.isEmpty ? "owner" : generator.draw(from: type.fields).name
    try expectRefused(
      writer, [type.fields.isEmpty ? .invalidKey : .invalidValue], "\(name) of \(id)"
    ) { try $0.save(Record(id: id, Metadata([(name, .dictionary(["k": 1]))]))) }
    try expectRefused(writer, [.unknownRecord], "a deletion of \(id)") { try $0.delete(record: id) }
    let other = Record.ID(type: "none", name: "x")
    try expectRefused(writer, [.unknownRecordType], "\(other)") { try $0.save(Record(id: other)) }
  }

  func expectRefused(
    _ writer: Writer?, _ codes: [SatchelError.Code], _ what: String, _ body: (Writer) throws -> Void
  ) throws {
    guard let writer else { return }
    do { try body(writer) } catch let error as SatchelError where codes.contains(error.code) { return }
    throw ModelError("\(what) was not refused")
  }

  func compare(_ found: Record?, _ id: Record.ID) throws {
    guard let found, let difference = model.records[id]?.difference(found) else { return }
    throw ModelError("\(id), as it was returned: \(difference)")
  }

  // MARK: Values

  private mutating func someDate() -> Timestamp {
    Timestamp(microseconds: Int64(generator.draw(below: 1000)))
  }

  private mutating func someSource(of type: RecordType) -> Record {
    var record = Record(id: Record.ID(type: type.name, name: generator.draw(from: Self.names)))
    record.fields = someFields(of: type)
    if generator.chance(50) { record.owner = generator.draw(from: Self.users) }
    if generator.chance(60) { record.createdBy = generator.draw(from: Self.users) }
    if generator.chance(60) { record.createdTimestamp = someDate() }
    if generator.chance(40) { record.updatedBy = generator.draw(from: Self.users) }
    if generator.chance(40) { record.updatedTimestamp = someDate() }
    return record
  }

  /// Values that a record of the type may have: in declared fields those of their types, in others mostly of the types that they might be
  /// declared with.
  private mutating func someFields(of type: RecordType) -> Metadata {
    var fields = Metadata()
    for (name, usual) in Self.fields where generator.chance(40) {
      let declared = type.field(named: name)?.type
      let isUsual = generator.chance(85)
      fields.set(
        declared.map { someValue(of: $0) } ?? (isUsual ? someValue(of: usual) : someField(depth: 2)),
        forKey: name)
    }
    for name in ["free", "caf\u{E9}", "a.b"] where generator.chance(15) {
      fields.set(someField(depth: 2), forKey: name)
    }
    return fields
  }

  /// A value that a field may have which is not declared.
  private mutating func someField(depth: Int) -> MetadataValue {
    guard depth > 0, generator.chance(30) else {
      return generator.chance(30) ? .reference(someReference(to: nil)) : someValue()
    }
    var inner = Metadata()
    for name in ["k", "in", "two words"] where generator.chance(50) {
      inner.set(someField(depth: depth - 1), forKey: name)
    }
    return .dictionary(inner)
  }

  private mutating func someValue(of type: FieldType) -> MetadataValue {
    switch type {
    case .text: .text(generator.draw(from: Self.texts))
    case .integer: .integer(generator.draw(from: [0, -1, 5, .max, .min]))
    case .number:
      generator.draw(from: [.number(2.5), .number(5), .integer(5), .number(-0.0), .integer(.max)])
    case .boolean: .boolean(generator.chance(50))
    case .date: .date(Timestamp(microseconds: generator.draw(from: [0, -1, 1_700_000_000_000_000])))
    case .texts: generator.draw(from: [.list([]), .list(["b", "a", "b"]), .list(["\u{E9}", "e\u{301}"])])
    case .reference(let target): .reference(someReference(to: target))
    }
  }

  /// A reference to what is there, what was deleted, or what has never been there.
  private mutating func someReference(to type: String?) -> Reference {
    let type =
      type
      ?? generator.draw(
        from: Self.typeNames + [Reference.messages, Reference.conversations, Reference.identities])
    switch type {
    case Reference.messages: return Reference(Message.ID("m\(generator.draw(below: model.counter + 5))"))
    case Reference.conversations:
      return Reference(Conversation.ID("c\(generator.draw(below: model.counter + 5))"))
    case Reference.identities: return Reference(generator.draw(from: Self.users))
    default: return Reference(type: type, name: generator.draw(from: Self.names))
    }
  }
}
