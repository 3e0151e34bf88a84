import Satchel
import SatchelModel
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
    return objects(.conversations, predicate) { object, _ in
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
    return objects(.identities, predicate) { object, _ in
      guard case .identity(let identity) = object else { return nil }
      return Name(text: identity.userID.rawValue, note: identity.displayName ?? "")
    }
  }

  /// Returns values of a property of a kind of object that begin with a text.
  func values(of path: [String], _ kind: ObjectKind, _ beginning: String) -> [Name] {
    guard let property = try? ObjectProperty(path: path, of: kind) else { return [] }
    let predicate = QueryPredicate.comparison(.init(path, .beginsWith, .text(beginning)))
    return objects(kind, predicate) { object, reader in
      guard case .text(let text) = try reader.value(of: property, in: object), text.count <= 100 else {
        return nil
      }
      return Name(text: text)
    }
  }

  /// Returns the keys that the metadata of objects of a kind have behind some.
  func keys(of kind: ObjectKind, behind keys: [String]) -> [(key: String, leadsOn: Bool)] {
    var found: [ByteString: Bool] = [:]
    _ = objects(kind, .true, most: Self.sample) { object, _ in
      let outer = object.metadata.map { MetadataValue.dictionary($0) }
      guard case .dictionary(let inner)? = keys.isEmpty ? outer : object.metadata?.value(at: keys) else {
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
  var indexes: [Name] {
    var found: [String] = []
    for status in read({ try $0.indexes() }) ?? [] {
      let name = status.index.name
      if !found.contains(where: { UTF8Order.areEqual($0, name) }) { found.append(name) }
    }
    return found.map { Name(text: $0) }
  }

  /// Returns the distinct names that `body` finds in objects, in order.
  private func objects(
    _ kind: ObjectKind, _ predicate: QueryPredicate, most: Int = StoreNames.most,
    _ body: (ResultObject, ColumnReader) throws -> Name?
  ) -> [Name] {
    var names: Set<Name> = []
    _ = read { snapshot in
      let reader = ColumnReader(snapshot: snapshot)
      let query = QueryDescription(kind: kind, predicate: predicate, limit: most)
      try snapshot.forEachObject(query) { object in
        if let name = try body(object, reader) { names.insert(name) }
      }
    }
    return names.sorted { UTF8Order.isLess($0.text, $1.text) }
  }
}
