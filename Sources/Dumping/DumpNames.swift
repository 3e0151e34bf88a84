import SatchelModel
import SatchelReading

/// Finds what the interned numbers of records stand for; nil if that cannot be read, since a dump shows damaged
/// stores, too.
struct DumpNames {
  let snapshot: Snapshot

  func user(_ number: UInt32) -> String? { try? snapshot.users.text(number) }

  func mimeType(_ number: UInt32) -> String? { try? snapshot.mimeTypes.text(number) }

  func metadataPath(_ number: UInt32) -> String? { try? snapshot.metadataPath(number).description }

  func aggregate(_ number: UInt32) -> DeclaredAggregate? {
    (try? snapshot.aggregates())?.first { $0.id == number }
  }

  func declaredIndex(_ number: UInt64) -> String? {
    (try? snapshot.declaredIndexes())?.first { $0.id == number }?.name
  }

  func recordType(_ number: UInt32) -> String? { (try? snapshot.recordType(number))?.type.name }

  func typeSet(_ number: UInt32) -> String? {
    (try? snapshot.typeSets.members(number))?.map { mimeType($0) ?? "\($0)" }.joined(separator: ", ")
  }

  func participants(_ number: UInt32) -> String? {
    (try? snapshot.participantSets.members(number))?.map { user($0) ?? "\($0)" }.joined(separator: ", ")
  }

  /// Returns a text in brackets, to be put after a number.
  static func bracketed(_ text: String?) -> String { text.map { " (\($0))" } ?? "" }
}
