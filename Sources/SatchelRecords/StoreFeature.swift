package import SatchelModel
import SatchelText

/// What a store keeps beside messages if a program switches it on. Each is a record type that the library brings; what is off costs
/// nothing.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum StoreFeature: String, Sendable, Hashable, CaseIterable {
  /// Reactions to messages: records of the type `_reaction`.
  case reactions
  /// Which message answers which: records of the type `_reply`.
  case threads
  /// Who follows, befriends or blocks whom: records of the type `_relation`.
  case relations
  /// What conversations are to their participants, and what these are in them: records of the type `_participation`.
  case participations
}

extension StoreFeature {
  /// The type of its records.
  public var recordType: RecordType {
    switch self {
    case .reactions: Self.reaction
    case .threads: Self.reply
    case .relations: Self.relation
    case .participations: Self.participation
    }
  }

  private static let reaction = RecordType("_reaction") {
    $0.reference("message", to: Reference.messages, onDelete: .cascade)
    $0.reference("user", to: Reference.identities)
    $0.text("kind")
    $0.text("state")
    $0.text("remoteID")
    $0.date("date")
  }

  private static let reply = RecordType("_reply") {
    $0.reference("message", to: Reference.messages, onDelete: .cascade)
    $0.reference("parent", to: Reference.messages, onDelete: .nullify)
  }

  private static let relation = RecordType("_relation") {
    $0.reference("from", to: Reference.identities, onDelete: .cascade)
    $0.reference("to", to: Reference.identities, onDelete: .cascade)
    $0.text("kind")
    $0.text("inverse")
  }

  private static let participation = RecordType(OwnState.recordType) {
    $0.reference("conversation", to: Reference.conversations, onDelete: .cascade)
    $0.reference("user", to: Reference.identities)
    $0.text("role")
    for flag in OwnState.flags { $0.boolean(flag) }
    for date in ["archivedAt", "joinedAt", "mutedUntil", "pinnedAt"] { $0.date(date) }
    $0.integer("lastReadPosition")
  }

  /// The error of a call that needs the feature in a store in which it is off.
  package var offError: SatchelError {
    let message: StaticString =
      switch self {
      case .reactions: "The store keeps no reactions: switch them on first"
      case .threads: "The store keeps no replies and threads: switch them on first"
      case .relations: "The store keeps no relations between users: switch them on first"
      case .participations: "The store keeps no states of participants: switch them on first"
      }
    return SatchelError(
      .unknownRecordType, message, ["recordType": recordType.name, "call": "store.enable(.\(rawValue))"])
  }
}

extension RecordType {
  /// Whether the name is one of those that belong to the library.
  package static func isLibraryName(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: "_") }

  /// The feature whose records are of the type; nil if they are of none.
  var feature: StoreFeature? { StoreFeature(recordType: name) }

  /// Checks that a type with a name of the library's is the one that the library brings.
  /// - Throws: ``SatchelError`` `invalidKey`.
  func checkOfLibrary() throws {
    guard Self.isLibraryName(name) else { return }
    guard let known = feature?.recordType else {
      throw SatchelError(
        .invalidKey,
        "A name that begins with _ belongs to a record type that the library brings: name yours otherwise",
        ["recordType": name, "library": StoreFeature.allCases.map(\.recordType.name).joined(separator: " ")])
    }
    guard known != self else { return }
    throw SatchelError(
      .invalidKey,
      "A record type that the library brings is declared with all of its fields and actions: name yours otherwise",
      [
        "recordType": name, "found": Self.spelled(fields, without: known.fields),
        "expected": Self.spelled(known.fields, without: fields),
      ])
  }

  /// Returns the fields that others lack, or have otherwise, with their actions.
  private static func spelled(_ fields: [Field], without others: [Field]) -> String {
    let different = fields.filter { !others.contains($0) }
    guard !different.isEmpty else { return "no other fields" }
    return different.map { field in
      "\(field.name.oneLine): \(field.type)" + (field.onDelete.map { ", onDelete: \($0.rawValue)" } ?? "")
    }.joined(separator: "; ")
  }
}
