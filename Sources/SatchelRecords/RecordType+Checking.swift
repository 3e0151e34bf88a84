package import SatchelModel
import SatchelText

extension RecordType {
  /// The names of what every record has, which no field may have.
  package static let reservedNames: [String] = [
    "identifier", "owner", "createdAt", "createdBy", "updatedAt", "updatedBy",
  ]

  /// Whether a name is that of a property that every record has.
  package static func isReserved(_ name: String) -> Bool {
    reservedNames.contains { UTF8Order.areEqual($0, name) }
  }

  /// Whether a declared field may have a name: 1 to 256 of `A-Z a-z 0-9 _ -`, and none that every record has.
  package static func isField(_ name: String) -> Bool {
    Metadata.isName(name) && name.utf8.count <= Metadata.maximumKeyBytes && !isReserved(name)
  }

  /// Checks the names of the type, of its fields and of the types that they refer to.
  /// A name that begins with `_` belongs to the library.
  /// - Throws: ``SatchelError`` `invalidKey`, which names what is wrong.
  package func validate() throws {
    guard Reference.isRecordType(name) else { throw Self.nameError(name) }
    try checkOfLibrary()
    for field in fields {
      guard !Self.isReserved(field.name) else { throw Self.reservedError(field.name, in: name) }
      guard Self.isField(field.name) else {
        throw SatchelError(
          .invalidKey, "The name of a declared field is 1 to 256 of A-Z a-z 0-9 _ -",
          ["recordType": name, "field": field.name])
      }
      if case .reference(let target?) = field.type, !Reference.isType(target) {
        throw Self.nameError(target).adding(["field": field.name])
      }
    }
  }

  private static func nameError(_ name: String) -> SatchelError {
    SatchelError(
      .invalidKey,
      "The name of a record type is 1 to 64 of A-Z a-z 0-9 _ -, and not that of another kind of objects",
      ["recordType": name])
  }

  private static func reservedError(_ field: String, in type: String) -> SatchelError {
    SatchelError(
      .invalidKey, "Every record has a property of this name: a field needs another one",
      [
        "recordType": type, "field": field,
        "reserved": reservedNames.joined(separator: " "),
      ])
  }

  /// Checks the fields of a record: those that are declared have values of their types, and no name is reserved.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue`, which names the type, the field, what was expected and what was found.
  package func check(_ values: Metadata) throws {
    do { try values.validate(.fields) } catch let error as SatchelError {
      throw error.adding(["recordType": name])
    }
    var declared = fields[...]
    for entry in values.entries {
      guard !Self.isReserved(entry.key) else { throw Self.reservedError(entry.key, in: name) }
      // Both are in the order of their names.
      while let first = declared.first, UTF8Order.isLess(first.name, entry.key) { declared.removeFirst() }
      guard let field = declared.first, UTF8Order.areEqual(field.name, entry.key) else { continue }
      guard field.type.accepts(entry.value) else {
        throw SatchelError(
          .invalidValue, "The value has another type than the field was declared with",
          [
            "recordType": name, "field": field.name, "expected": field.type.description,
            "found": entry.value.nameOfType, "value": entry.value.description,
          ])
      }
    }
  }

  /// Returns the type with the fields of another declaration of it as well: fields are added, none is removed, and those that are there get
  /// the actions of that declaration.
  /// - Throws: ``SatchelError`` `recordTypeDiffers` if a field has another type there, which names both.
  package func adding(_ other: RecordType) throws -> RecordType {
    for field in other.fields {
      guard let known = self.field(named: field.name), known.type != field.type else { continue }
      throw SatchelError(
        .recordTypeDiffers, "The field is declared with another type",
        [
          "recordType": name, "field": field.name, "declared": known.type.description,
          "found": field.type.description,
        ])
    }
    return RecordType(name, fields: fields + other.fields)
  }
}

extension MetadataValue {
  /// What kind of value it is, for the text of an error.
  package var nameOfType: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .list: "texts"
    case .dictionary: "dictionary"
    case .reference(let reference): "reference to \(reference.type.oneLine)"
    }
  }
}
