package import SatchelCoding
package import SatchelModel
package import SatchelRecords

/// A path from a record to an object that comes with it, and the name that the program has given that one.
package struct RecordInclusionPath: Sendable {
  package let steps: [ReferenceStep]
  package let name: String?

  package init(_ steps: [ReferenceStep], name: String?) {
    self.steps = steps
    self.name = name
  }
}

/// Reads the objects that come with records in one read of one state: each once, however many records refer to it; and has computed what
/// the program computes of each.
package final class RecordInclusionReader {
  private let paths: [RecordInclusionPath]
  private let names: [String: String]
  private let computations: [RecordComputation]
  private let contents: ContentSelection
  private let snapshot: Snapshot
  private var known: [Reference: ReferencedObject?] = [:]
  /// What the record that was completed last refers to at the beginnings of the paths, and what comes with it. Neighbours often refer to the
  /// same objects, and then the same comes with them.
  private var last: (references: [Reference?], inclusions: RecordInclusions)?

  package init(
    _ paths: [RecordInclusionPath], computing computations: [RecordComputation], _ contents: ContentSelection,
    in snapshot: Snapshot
  ) {
    self.paths = paths
    self.computations = computations
    self.contents = contents
    self.snapshot = snapshot
    names = Dictionary(
      paths.compactMap { path in path.name.map { ($0, Self.spelled(path.steps[...])) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func spelled(_ steps: ArraySlice<ReferenceStep>) -> String {
    steps.map(\.field).joined(separator: ".")
  }

  /// What has been looked for so far, whether it is there or not.
  package var references: Set<Reference> { Set(known.keys) }

  /// Returns what comes with a record: what lies on the way as well.
  private func objects(of record: Record) throws -> RecordInclusions {
    let references = paths.map { path in
      path.steps.first.flatMap { record.fields.value(forKey: $0.field)?.referenceValue }
    }
    if let last, last.references == references { return last.inclusions }
    var objects: [String: ReferencedObject] = [:]
    for path in paths {
      var fields = record.fields
      for (place, step) in path.steps.enumerated() {
        guard let reference = fields.value(forKey: step.field)?.referenceValue, reference.type == step.target,
          let object = try object(reference, step.kind)
        else { break }
        objects[Self.spelled(path.steps[...place])] = object
        guard case .record(let next) = object else { break }
        fields = next.fields
      }
    }
    let inclusions = RecordInclusions(objects, names: names)
    last = (references, inclusions)
    return inclusions
  }

  /// Gives a record what comes with it, and then what the program computes of it and of that.
  func complete(_ record: inout Record) throws {
    let objects = try objects(of: record)
    record.inclusions = objects
    guard !computations.isEmpty else { return }
    var computed: [String: MetadataValue] = [:]
    for computation in computations { computed[computation.name] = computation.value(record) }
    record.inclusions = objects.beside(computed)
  }

  private func object(_ reference: Reference, _ kind: ObjectKind) throws -> ReferencedObject? {
    if let object = known[reference] { return object }
    snapshot.metrics.inclusionsRead &+= 1
    let object = try read(reference.name, of: kind, reference)
    known[reference] = .some(object)
    return object
  }

  /// Returns an object that the store's user can see, as queries give it; nil if there is none.
  private func read(_ name: String, of kind: ObjectKind, _ reference: Reference) throws -> ReferencedObject? {
    let along = Accompaniment(contents)
    switch kind {
    case .records:
      return try snapshot.locateRecord(reference).map { .record(try snapshot.makeRecord($0)) }
    case .conversations:
      guard let view = try snapshot.conversation(of: Array(name.utf8)), view.isVisible else { return nil }
      return .conversation(try snapshot.makeConversation(view.row, along))
    case .messages:
      guard let key = try snapshot.locateMessage(name), !key.isAnnouncement,
        try snapshot.conversation(key.conversation).isVisible
      else { return nil }
      return .message(
        try snapshot.makeMessage(conversation: key.conversation, sequence: key.sequence, along))
    case .identities:
      guard let user = try snapshot.users.number(of: name), let row = try snapshot.locateIdentity(user: user)
      else { return nil }
      return .identity(try snapshot.makeIdentity(row))
    case .announcements, .parts: return nil
    }
  }
}

extension Snapshot {
  /// Returns a record as a value, with what is to come along.
  package func makeRecord(_ key: TypedRecordKey, _ along: Accompaniment) throws -> Record {
    var record = try makeRecord(key)
    try along.referenced?.complete(&record)
    return record
  }
}
