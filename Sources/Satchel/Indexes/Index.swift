package import SatchelCoding
import SatchelExecution
public import SatchelRecords

/// An index of your own: what objects have entries in it, and by what these are ordered.
///
/// ```swift
/// let tickets = Index(named: "tickets", on: Message.self, where: { $0.metadata.kind == "ticket" }) {
///   [$0.metadata.priority.number.descending, $0.sentAt]
/// }
/// try store.declare(tickets)
/// let urgent = Message.filter { $0.metadata.kind == "ticket" && $0.metadata.priority == 1 }.order { $0.sentAt }
/// ```
///
/// An index of records is on their type: `Index(named: "open", on: todo, where: { !$0.done }) { [$0.list, $0.order] }`.
///
/// Every object that the store's user can see and that meets the predicate has an entry, also where values are missing. Queries use an
/// index by themselves: for equality in its first columns and a range in the next, for orders that go on from there, and for counts and
/// offsets of any size in O(log n). An index with a predicate answers queries whose own predicate implies it.
///
/// Columns are properties of the object itself: of metadata at any depth, of its parts, the status of a recipient, of a record all that every
/// record has and any field, declared or not. What leads to another
/// object is refused, because that may change without this one. Of one column at most, an object has an entry for each of several values:
/// `$0.metadata.tags.list`, `$0.parts.each { $0.mimeType }`, of a record `$0.tags.list`.
///
/// An index of words has the words of texts, for full-text search: `Index(named: "search", on: Message.self, wordsOf: { $0.parts.each { $0.text } })`.
/// Its texts may be those of parts, names, values of metadata, also lists, and fields of records. It has no other column and is never unique.
///
/// In a unique index no two objects have the same values in all columns. Objects that lack a value in one of them share it with whom they like;
/// so do lists of metadata in a column that is not of their elements. A write that would break this throws `valueExists` when its closure has
/// ended, and changes nothing. It is true of the objects that have entries: those that do not meet the predicate are not asked.
public struct Index: Hashable, Sendable {
  /// The name under which it is declared: 1 to 256 bytes of UTF-8, without NUL.
  public let name: String
  /// The kind of its objects: not parts.
  public let kind: ObjectKind
  /// The name of the type whose records it has; nil of other kinds.
  public let recordType: String?
  /// Whether no two objects may have the same values in all columns.
  public let isUnique: Bool
  /// The condition that objects meet that have an entry.
  public let predicate: QueryPredicate
  /// By what the entries are ordered, first of all by the first: one to eight.
  public let columns: [IndexColumn]

  /// Makes an index without types. Nothing is checked until it is declared.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - kind: The kind of its objects: not parts.
  ///   - recordType: Of records, the name of their type.
  ///   - isUnique: Whether no two objects may have the same values in all columns.
  ///   - predicate: The condition: of properties of the object itself.
  ///   - columns: One to eight.
  public init(
    named name: String, kind: ObjectKind, recordType: String? = nil, unique isUnique: Bool = false,
    where predicate: QueryPredicate = .true, columns: [IndexColumn]
  ) {
    self.name = name
    self.kind = kind
    self.recordType = recordType
    self.isUnique = isUnique
    self.predicate = predicate
    self.columns = columns
  }

  /// Makes an index of all objects of a kind. Nothing is checked until it is declared.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - type: The type of its objects.
  ///   - isUnique: Whether no two objects may have the same values in all columns.
  ///   - columns: Sortable properties, ascending or with `descending`; lists of metadata; properties of parts by `each`.
  public init<Object: Queryable>(
    named name: String, on type: Object.Type, unique isUnique: Bool = false,
    columns: (Object.Fields) -> [any IndexColumnConvertible]
  ) {
    self.init(
      named: name, kind: Object.kind, unique: isUnique, columns: columns(Object.fields).map(\.indexColumn))
  }

  /// Makes an index of the objects that meet a predicate. Nothing is checked until it is declared.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - type: The type of its objects.
  ///   - isUnique: Whether no two objects may have the same values in all columns.
  ///   - predicate: The condition: of properties of the object itself.
  ///   - columns: Sortable properties, ascending or with `descending`; lists of metadata; properties of parts by `each`.
  public init<Object: Queryable, Filter: PredicateConvertible>(
    named name: String, on type: Object.Type, unique isUnique: Bool = false,
    where predicate: (Object.Fields) -> Filter, columns: (Object.Fields) -> [any IndexColumnConvertible]
  ) {
    self.init(
      named: name, kind: Object.kind, unique: isUnique, where: predicate(Object.fields).predicate,
      columns: columns(Object.fields).map(\.indexColumn))
  }

  /// Makes an index of all records of a type. Nothing is checked until it is declared.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - type: The type of the records, which has to be declared before.
  ///   - isUnique: Whether no two records may have the same values in all columns.
  ///   - columns: Fields, and what every record has, ascending or with `descending`; `list` of a field for each of its texts.
  public init(
    named name: String, on type: RecordType, unique isUnique: Bool = false,
    columns: (RecordFields) -> [any IndexColumnConvertible]
  ) {
    self.init(
      named: name, kind: .records, recordType: type.name, unique: isUnique,
      columns: columns(Record.fields).map(\.indexColumn))
  }

  /// Makes an index of the records of a type that meet a predicate. Nothing is checked until it is declared.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - type: The type of the records, which has to be declared before.
  ///   - isUnique: Whether no two records may have the same values in all columns.
  ///   - predicate: The condition.
  ///   - columns: Fields, and what every record has, ascending or with `descending`; `list` of a field for each of its texts.
  public init<Filter: PredicateConvertible>(
    named name: String, on type: RecordType, unique isUnique: Bool = false,
    where predicate: (RecordFields) -> Filter, columns: (RecordFields) -> [any IndexColumnConvertible]
  ) {
    self.init(
      named: name, kind: .records, recordType: type.name, unique: isUnique,
      where: predicate(Record.fields).predicate, columns: columns(Record.fields).map(\.indexColumn))
  }

  /// Makes an index of the words of texts, for full-text search. Nothing is checked until it is declared.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - type: The type of its objects.
  ///   - predicate: The condition that objects meet that have entries: of properties of the object itself. All do without one.
  ///   - text: The property that has the texts: `{ $0.parts.each { $0.text } }`, `{ $0.metadata.title }`, `\.displayName`.
  public init<Object: Queryable>(
    named name: String, on type: Object.Type,
    where predicate: (Object.Fields) -> any PredicateConvertible = { _ in QueryPredicate.true },
    wordsOf text: (Object.Fields) -> any IndexColumnConvertible
  ) {
    self.init(
      named: name, kind: Object.kind, where: predicate(Object.fields).predicate,
      columns: [IndexColumn(text(Object.fields).indexColumn.path, isOfWords: true)])
  }

  /// Makes an index of the words of the texts of records, for full-text search. Nothing is checked until it is declared.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - type: The type of the records, which has to be declared before.
  ///   - predicate: The condition that records meet that have entries. All do without one.
  ///   - text: The field that has the texts: `\.title`.
  public init(
    named name: String, on type: RecordType,
    where predicate: (RecordFields) -> any PredicateConvertible = { _ in QueryPredicate.true },
    wordsOf text: (RecordFields) -> any IndexColumnConvertible
  ) {
    self.init(
      named: name, kind: .records, recordType: type.name, where: predicate(Record.fields).predicate,
      columns: [IndexColumn(text(Record.fields).indexColumn.path, isOfWords: true)])
  }

  /// Compares the bytes of all texts, by which the store distinguishes indexes.
  public static func == (left: Self, right: Self) -> Bool { left.definition == right.definition }

  /// Hashes the bytes of all texts.
  public func hash(into hasher: inout Hasher) { hasher.combine(definition) }
}

extension Index: CustomStringConvertible {
  /// The index on one line: `tickets: messages where metadata.kind = 'ticket' by -metadata.priority, sentAt`, `orders: unique
  /// messages by metadata.order`; of records, the name of their type stands for the kind.
  public var description: String {
    var text = name + ": " + (isUnique ? "unique " : "") + nameOfKind
    if predicate != .true { text += " where \(predicate)" }
    return text + " by " + columns.map(\.description).joined(separator: ", ")
  }
}

extension Index {
  /// The kind as it is printed: of records, the name of their type.
  package var nameOfKind: String { recordType ?? kind.rawValue }

  /// The definition in the form in which the store keeps it.
  package var definition: DeclaredIndexEntry.Definition {
    DeclaredIndexEntry.Definition(
      name: Array(name.utf8), kind: AggregateEntry.Kind(kind), recordType: recordType.map { Array($0.utf8) },
      predicate: Array(predicate.description.utf8),
      columns: columns.map {
        DeclaredIndexEntry.Column(
          path: Array(SortKey($0.path).description.utf8), descending: $0.descending,
          isOfElements: $0.isOfElements, isOfWords: $0.isOfWords)
      }, isUnique: isUnique)
  }

  /// Makes the index of a stored definition.
  /// - Throws: ``SatchelError`` `syntaxError` if a text does not follow this version's predicate language.
  package init(_ definition: DeclaredIndexEntry.Definition) throws {
    self.init(
      named: String(decoding: definition.name, as: UTF8.self), kind: ObjectKind(definition.kind),
      recordType: definition.recordType.map { String(decoding: $0, as: UTF8.self) },
      unique: definition.isUnique,
      where: try QueryPredicate(format: String(decoding: definition.predicate, as: UTF8.self)),
      columns: try definition.columns.map { column in
        let path = try SortKey(String(decoding: column.path, as: UTF8.self)).path
        return IndexColumn(
          path, descending: column.descending, isOfElements: column.isOfElements, isOfWords: column.isOfWords)
      })
  }
}

/// A declared index of a store, and how far it has got.
public struct DeclaredIndexStatus: Hashable, Sendable {
  /// The index.
  public let index: Index
  /// Whether all objects have their entries, so that queries use it. Otherwise it is being built beside other commits.
  public let isComplete: Bool
  /// How many entries it has; of an index of words also those that say how often a word is there, and how long texts are.
  public let entries: Int
  /// Which part of the objects has been looked at: 1 if it is complete.
  public let progress: Double
  /// Of a unique index, pairs of objects that have the same values: at most ten. If there are any, it is not used: it was not built to its end, or
  /// will not be. Change these objects, and declare it again.
  public let doubles: [SharedValues]
  /// Whether it was not built, because of `doubles`. It has no entries then.
  public let isRefused: Bool

  /// Two objects that have the same values in all columns of a unique index.
  public struct SharedValues: Hashable, Sendable {
    /// The identifier of the object that was created first, or the user id of an identity.
    public let first: String
    /// The identifier of the other one.
    public let second: String
  }
}

extension DeclaredIndexStatus: CustomStringConvertible {
  /// The index, and how far it has got.
  public var description: String {
    let shared = doubles.map { "\($0.first) = \($0.second)" }.joined(separator: ", ")
    if isRefused { return "\(index), refused, because objects have the same values: \(shared)" }
    return "\(index), \(entries) entries" + (isComplete ? "" : ", \(Int(progress * 100)) % built")
  }
}
