internal import SatchelModel
import SatchelText

extension RecordType {
  /// Checks the fields of a record, and, of one of a type that the library brings, that its name says the same as its fields.
  /// - Throws: As the check of its fields; ``SatchelError`` `invalidValue`, which names the fields that are wrong, or the name that they ask for.
  package func check(_ record: Record) throws {
    try check(record.fields)
    guard let feature else { return }
    let faults = feature.faults(of: record)
    let name = feature.name(of: record)
    guard faults.isEmpty, UTF8Order.areEqual(name, record.id.name) else {
      throw SatchelError(
        .invalidValue, feature.rule,
        [
          "recordType": self.name, "expected": faults.isEmpty ? name : faults.joined(separator: "; "),
          "found": faults.isEmpty ? record.id.name : "\(record.fields)",
        ])
    }
  }
}

extension StoreFeature {
  /// What its records have, for errors.
  fileprivate var rule: StaticString {
    switch self {
    case .reactions:
      "A reaction has a message, a user, a kind and a state, which is pending or sent, and is named message/kind/user"
    case .threads: "A reply has a message, is named as it, and has another message as its parent, or none"
    case .relations:
      "A relation has a kind, a user from whom and another one to whom, is named kind/from/to, and kind/to/from is its inverse"
    case .participations:
      "A participation has a conversation and a user, and is named conversation/user; what is pinned or archived has a date, and only what is muted is muted until some time"
    }
  }

  /// Returns what its fields would have to be, for each that is wrong or missing. Those that are there are of their types.
  fileprivate func faults(of record: Record) -> [String] {
    var faults: [String] = []
    func check(_ field: String, _ expected: @autoclosure () -> String, _ isRight: (MetadataValue?) -> Bool) {
      if !isRight(record[field]) { faults.append("\(field): \(expected())") }
    }
    func checkReference(_ field: String, to type: String) {
      check(field, "a reference, such as \(type)/NAME") { $0?.referenceValue?.type == type }
    }
    /// What is so has a date, and nothing else has.
    func checkDate(_ field: String, of flag: String) {
      let isSet = record[flag] == .boolean(true)
      check(field, isSet ? "a date, as \(flag) is true" : "none, as \(flag) is not true") {
        ($0 != nil) == isSet
      }
    }
    switch self {
    case .reactions:
      checkReference("message", to: Reference.messages)
      checkReference("user", to: Reference.identities)
      check("kind", "a text that is not empty") { $0?.textValue?.isEmpty == false }
      check("state", "pending or sent") { ["pending", "sent"].contains($0?.textValue) }
    case .threads:
      checkReference("message", to: Reference.messages)
      check("parent", "another message, or none") { parent in
        guard let parent = parent?.referenceValue, let message = record["message"]?.referenceValue else {
          return true
        }
        return parent != message
      }
    case .relations:
      check("kind", "1 to 64 of A-Z a-z 0-9 _ -") { $0?.textValue.map { RelationKind($0).isValid } ?? false }
      checkReference("from", to: Reference.identities)
      checkReference("to", to: Reference.identities)
      check("to", "another user than from") { $0 == nil || $0 != record["from"] }
      if faults.isEmpty {
        let inverse = Self.nameOfRelation(record, isInverse: true)
        check("inverse", inverse) { $0 == .text(inverse) }
      }
    case .participations:
      checkReference("conversation", to: Reference.conversations)
      checkReference("user", to: Reference.identities)
      checkDate("pinnedAt", of: "isPinned")
      checkDate("archivedAt", of: "isArchived")
      check("mutedUntil", "none, as isMuted is not true") { $0 == nil || record["isMuted"] == .boolean(true) }
    }
    return faults
  }

  /// Returns the name that a record has to have by its fields, which have no faults.
  fileprivate func name(of record: Record) -> String {
    func referred(_ field: String) -> String { record[field]?.referenceValue?.name ?? "" }
    switch self {
    case .reactions:
      return ReactionName.name(
        message: referred("message"), kind: record["kind"]?.textValue ?? "", user: referred("user"))
    case .threads: return referred("message")
    case .relations: return Self.nameOfRelation(record, isInverse: false)
    case .participations:
      return ParticipationName.name(conversation: referred("conversation"), user: referred("user"))
    }
  }

  private static func nameOfRelation(_ record: Record, isInverse: Bool) -> String {
    let users = ["from", "to"].map { record[$0]?.referenceValue?.name ?? "" }
    return RelationName.name(
      RelationKind(record["kind"]?.textValue ?? ""), from: users[isInverse ? 1 : 0],
      to: users[isInverse ? 0 : 1])
  }
}
