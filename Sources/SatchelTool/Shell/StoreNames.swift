import Satchel
import SatchelModel
import SatchelQuery
import SatchelText

/// Names that are in a store, for completion. What goes wrong in the store is no matter of completion: then there are none.
final class StoreNames {
  struct Name: Hashable {
    let text: String
    /// What tells people more than the name itself; empty if nothing does.
    var note = ""
  }

  private let open: () throws -> MessageStore
  /// Nil while the store cannot be had.
  private var store: MessageStore?
  let user: String

  /// - Parameter open: Opens the store: at once, and again after a read that has failed.
  init(opening open: @escaping () throws -> MessageStore) throws {
    let opened = try open()
    self.open = open
    store = opened
    user = opened.user.rawValue
  }

  func close() { store?.close() }

  /// Reads from the store; from the one that is at its path now, if the one that is open cannot be read.
  private func read<Result>(_ body: (StoreSnapshot) throws -> Result) -> Result? {
    for _ in 0..<2 {
      do {
        let opened = try store ?? open()
        store = opened
        return try opened.read(body)
      } catch {
        close()
        store = nil
      }
    }
    return nil
  }

  /// The most names that are looked for.
  private static let most = 200
  /// The most objects in whose metadata keys are looked for.
  private static let sample = 500

  /// Returns identifiers of conversations that begin with a text, or whose title does.
  func conversations(_ beginning: String) -> [Name] {
    let predicate = QueryPredicate.or([
      .comparison(.init(["identifier"], .beginsWith, .text(beginning))),
      .comparison(
        .init(["metadata", "title"], .beginsWith, .text(beginning), options: .caseInsensitive)),
    ])
    return objects(QueriedKind(.conversations), predicate) { object, _ in
      guard case .conversation(let conversation) = object else { return nil }
      return Name(text: conversation.id.rawValue, note: conversation.metadata["title"] ?? "")
    }
  }

  /// Returns ids of users that begin with a text, or whose names do.
  func users(_ beginning: String) -> [Name] {
    let predicate = QueryPredicate.or([
      .comparison(.init(["userID"], .beginsWith, .text(beginning))),
      .comparison(.init(["displayName"], .beginsWith, .text(beginning), options: .caseInsensitive)),
    ])
    return objects(QueriedKind(.identities), predicate) { object, _ in
      guard case .identity(let identity) = object else { return nil }
      return Name(text: identity.userID.rawValue, note: identity.displayName ?? "")
    }
  }

  /// Returns values of a property of a kind of object, or of a record type, that begin with a text.
  func values(of path: [String], _ queried: QueriedKind, _ beginning: String) -> [Name] {
    guard let property = try? ObjectProperty(path: path, of: queried.kind) else { return [] }
    let predicate = QueryPredicate.comparison(.init(path, .beginsWith, .text(beginning)))
    return objects(queried, predicate) { object, reader in
      guard case .text(let text) = try reader.value(of: property, in: object), text.count <= 100 else {
        return nil
      }
      return Name(text: text)
    }
  }

  /// Returns the keys that the metadata of objects of a kind, or the fields of records, have behind some.
  func keys(of queried: QueriedKind, behind keys: [String]) -> [(key: String, leadsOn: Bool)] {
    var found: [ByteString: Bool] = [:]
    _ = objects(queried, .true, most: Self.sample) { object, _ in
      var metadata = object.metadata
      if case .record(let record) = object { metadata = record.fields }
      let outer = metadata.map { MetadataValue.dictionary($0) }
      guard case .dictionary(let inner)? = keys.isEmpty ? outer : metadata?.value(at: keys) else {
        return nil
      }
      for (key, value) in inner {
        let leadsOn = if case .dictionary = value { true } else { false }
        found[ByteString(key)] = found[ByteString(key)] == true || leadsOn
      }
      return nil
    }
    return found.map { ($0.key.string, $0.value) }.sorted { UTF8Order.isLess($0.0, $1.0) }
  }

  /// Returns the names of the aggregates that are declared.
  var aggregates: [Name] { (read { try $0.aggregates() } ?? []).map { Name(text: $0.name) } }

  /// Returns the names of the indexes that are declared. One may be there and be built anew.
  var indexes: [Name] { indexes { _ in true } }

  /// Returns the names of those that have words.
  var indexesOfWords: [Name] { indexes { $0.columns.contains(where: \.isOfWords) } }

  private func indexes(_ isWanted: (Index) -> Bool) -> [Name] {
    var found: [String] = []
    for status in read({ try $0.indexes() }) ?? [] where isWanted(status.index) {
      let name = status.index.name
      if !found.contains(where: { UTF8Order.areEqual($0, name) }) { found.append(name) }
    }
    return found.map { Name(text: $0) }
  }

  // MARK: Records

  /// Returns the names of the record types that are declared.
  var recordTypes: [String] { (read { try $0.types() } ?? []).map(\.type.name) }

  /// Returns the names of records of a type that begin with a text.
  func records(_ queried: QueriedKind, _ beginning: String) -> [Name] {
    objects(queried, .comparison(.init(["identifier"], .beginsWith, .text(beginning)))) { object, _ in
      Name(text: object.identifier)
    }
  }

  /// Returns the fields of a record type: those that are declared and those that records have, or the keys of what they have in one.
  func fields(
    of type: String, behind path: [String]
  ) -> [(name: String, declared: FieldType?, leadsOn: Bool)] {
    let fields = (read { try $0.types() } ?? []).first { UTF8Order.areEqual($0.type.name, type) }?.type.fields
    guard let fields, let queried = QueriedKind(argument: type) else { return [] }
    let seen = keys(of: queried, behind: path)
    guard path.isEmpty else { return seen.map { ($0.key, nil, $0.leadsOn) } }
    return fields.map { ($0.name, $0.type, false) }
      + seen.filter { key, _ in !fields.contains { UTF8Order.areEqual($0.name, key) } }
      .map { ($0.key, nil, $0.leadsOn) }
  }

  /// Returns what may be set of records of a type, as `set` takes it: a name with a dot has names behind it.
  /// - Parameter clearing: Whether only what may have no value is wanted.
  func settable(of type: String, clearing: Bool) -> [String] {
    (clearing ? [] : ["owner"])
      + fields(of: type, behind: []).map { SortKey([$0.name]).description + ($0.leadsOn ? "." : "") }
  }

  /// Returns values of a property of records of a type that begin with a text.
  func values(of property: ObjectProperty, _ type: String, _ beginning: String) -> [Name] {
    guard let queried = QueriedKind(argument: type) else { return [] }
    switch property.field {
    case .owner, .createdBy, .updatedBy: return users(beginning)
    case .identifier: return records(queried, beginning)
    case .recordValue(let path): return values(of: path.keys, queried, beginning)
    default: return []
    }
  }

  /// Returns the distinct names that `body` finds in objects, in order.
  private func objects(
    _ queried: QueriedKind, _ predicate: QueryPredicate, most: Int = StoreNames.most,
    _ body: (ResultObject, ColumnReader) throws -> Name?
  ) -> [Name] {
    var names: Set<Name> = []
    _ = read { snapshot in
      let reader = ColumnReader(snapshot: snapshot)
      var query = QueryDescription(kind: queried.kind, predicate: predicate, limit: most)
      query.recordType = queried.recordType
      try snapshot.forEachObject(query) { object in
        if let name = try body(object, reader) { names.insert(name) }
      }
    }
    return names.sorted { UTF8Order.isLess($0.text, $1.text) }
  }
}
