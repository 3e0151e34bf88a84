package import SatchelModel

/// An object that a record refers to and that has come with it.
package enum ReferencedObject: Hashable, Sendable {
  case record(Record)
  case conversation(Conversation)
  case message(Message)
  case identity(Identity)
}

/// The objects that have come with a record, by the names of their paths with dots between them, and what was computed of it.
package final class RecordInclusions: Hashable, Sendable {
  private let objects: [String: ReferencedObject]
  /// The paths of the names that the program has given.
  private let names: [String: String]
  /// The values that the program has computed, by their names.
  let computed: [String: MetadataValue]

  package init(
    _ objects: [String: ReferencedObject], names: [String: String], computed: [String: MetadataValue] = [:]
  ) {
    self.objects = objects
    self.names = names
    self.computed = computed
  }

  /// Returns the same objects beside values that were computed.
  package func beside(_ computed: [String: MetadataValue]) -> RecordInclusions {
    RecordInclusions(objects, names: names, computed: computed)
  }

  /// Returns the object of a name that the program has given, or of a path; nil if there is none.
  package func object(named name: String) -> ReferencedObject? { objects[names[name] ?? name] }

  package static func == (left: RecordInclusions, right: RecordInclusions) -> Bool {
    left === right
      || left.objects == right.objects && left.names == right.names && left.computed == right.computed
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(objects) }
}
