import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery

extension DeclaredIndex {
  /// Checks a definition and normalises it.
  /// - Throws: ``SatchelError`` that names what the index cannot have: a path through a relation, a property without one order, two
  ///   columns of elements, words of what has no texts; and the errors of a query of the predicate.
  convenience init(_ definition: DeclaredIndexEntry.Definition, id: UInt32, user: String) throws {
    let name = String(decoding: definition.name, as: UTF8.self)
    guard AggregateEntry.isName(definition.name) else {
      throw SatchelError(
        .invalidValue, "The name of an index has 1 to 256 bytes, and no NUL", ["index": name])
    }
    let kind = ObjectKind(definition.kind)
    try kind.check(recordType: definition.recordType, ["index": name])
    guard kind != .parts else {
      throw SatchelError(
        .invalidValue,
        "An index is of messages, announcements, conversations, identities or the records of a type: one of messages may have properties of their parts",
        ["index": name, "kind": kind.rawValue])
    }
    guard (1...DeclaredIndexEntry.maximumColumns).contains(definition.columns.count) else {
      throw SatchelError(
        .invalidValue, "An index has 1 to 8 columns",
        ["index": name, "columns": String(definition.columns.count)])
    }
    let condition = try Normalizer(kind: kind, user: Identity.ID(user)).condition(
      for: QueryPredicate(format: String(decoding: definition.predicate, as: UTF8.self)))
    guard !condition.asksForRelations else {
      throw SatchelError(
        .unsupportedPredicate,
        "An index has only properties of the object itself: a relation may change without this one",
        ["index": name])
    }
    for property in condition.properties {
      try Self.check(property, index: name)
      try Self.refuseTexts(property, index: name)
    }
    if let column = definition.columns.first(where: \.isOfWords) {
      let property = try ObjectProperty(
        path: SortKey(String(decoding: column.path, as: UTF8.self)).path, of: kind)
      try Self.check(property, index: name)
      try Self.check(words: property, of: column, in: definition)
      self.init(
        id: id, name: name, kind: kind, condition: condition,
        columns: [(property, descending: false, isOfElements: false)], isOfWords: true)
      return
    }
    var columns: [(property: ObjectProperty, descending: Bool, isOfElements: Bool)] = []
    for column in definition.columns {
      let property = try ObjectProperty(
        path: SortKey(String(decoding: column.path, as: UTF8.self)).path, of: kind)
      try Self.check(property, index: name)
      try Self.refuseTexts(property, index: name)
      try Self.check(column: property, isOfElements: column.isOfElements, index: name)
      guard !columns.contains(where: { $0.property == property }) else {
        throw SatchelError(
          .invalidValue, "A property can be one column of an index",
          ["index": name, "property": property.path.spelledPath])
      }
      columns.append((property, column.descending, column.isOfElements || property.isToMany))
    }
    guard columns.count(where: \.isOfElements) <= 1 else {
      throw SatchelError(
        .invalidValue,
        "An index has one column at most in which an object has several values",
        [
          "index": name,
          "properties": columns.filter(\.isOfElements).map(\.property.path.spelledPath)
            .joined(separator: ", "),
        ])
    }
    self.init(id: id, name: name, kind: kind, condition: condition, columns: columns)
  }

  /// Refuses what does not follow from the object's own record.
  private static func check(_ property: ObjectProperty, index name: String) throws {
    let context = ["index": name, "property": property.path.spelledPath]
    guard property.relations.isEmpty || property.relations == [.parts], property.field != .lastMessage else {
      throw SatchelError(
        .unsupportedPredicate,
        "An index has only properties of the object itself: another object may change without this one",
        context)
    }
  }

  private static func refuseTexts(_ property: ObjectProperty, index name: String) throws {
    guard property.field != .text else {
      throw SatchelError(
        .unsupportedPredicate,
        "An index has no texts of parts, which may be large: give messages a value of metadata, or declare an index of the words of the texts",
        ["index": name, "property": property.path.spelledPath])
    }
  }

  /// Refuses words of what has no texts, and what does not go with words.
  private static func check(
    words property: ObjectProperty, of column: DeclaredIndexEntry.Column,
    in definition: DeclaredIndexEntry.Definition
  ) throws {
    let index = String(decoding: definition.name, as: UTF8.self)
    let context = ["index": index, "property": property.path.spelledPath]
    guard property.type == .text || property.type == .custom else {
      throw SatchelError(
        .invalidValue,
        "Words are those of texts: of parts, of names, of a value of metadata or of a field of records",
        context)
    }
    guard definition.columns.count == 1 else {
      throw SatchelError(
        .invalidValue, "An index of words has no other column: declare an index for each",
        ["index": index, "columns": definition.columns.map(\.spelled).joined(separator: ", ")])
    }
    guard !column.descending, !column.isOfElements else {
      throw SatchelError(
        .invalidValue, "Words have no direction and are those of all values: words metadata.title",
        ["index": index, "column": column.spelled])
    }
    guard !definition.isUnique else {
      throw SatchelError(
        .invalidValue, "An index of words cannot be unique: many objects have the same words", context)
    }
  }

  private static func check(column property: ObjectProperty, isOfElements: Bool, index name: String) throws {
    let context = ["index": name, "property": property.path.spelledPath]
    switch property.type {
    case .text, .bytes, .custom, .number, .date, .boolean, .enumeration: break
    case .participants, .metadata:
      throw SatchelError(
        .unsupportedSort,
        "A column of an index is a text, an identifier, a number, a date, a Boolean, a reference or a status: participants have an index of their own, and of metadata a key path can be a column",
        context)
    }
    guard !isOfElements || property.isToMany || property.type == .custom else {
      throw SatchelError(
        .invalidValue,
        "Only a property of parts, a value of metadata and a field of records can have several elements",
        context)
    }
  }
}

extension DeclaredIndex {
  /// Whether an unread message that is read may get other entries.
  var dependsOnReading: Bool {
    let properties = conditions.flatMap(\.properties) + columns.map(\.property)
    return properties.contains { property in
      switch property.field {
      case .isUnread, .updatedAt, .hasUnreadMessages, .unreadCount: true
      default: false
      }
    }
  }
}
