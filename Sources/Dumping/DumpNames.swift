import SatchelIndexing
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

  /// Returns the name of the index that has a group of entries; of an index of words also which of them the group has.
  func declaredIndex(ofGroup group: UInt64) -> String? {
    guard let (number, entries) = WordEntries.index(ofGroup: group),
      let index = (try? snapshot.declaredIndexes())?.first(where: { $0.id == number })
    else { return nil }
    return index.definition.isOfWords ? "\(index.name), \(entries)" : index.name
  }

  /// Whether the texts of the entries of a group are the terms of an index of words.
  func haveTerms(ofGroup group: UInt64) -> Bool {
    (try? snapshot.declaredIndexes())?.first { UInt64($0.id) == group }?.definition.isOfWords ?? false
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
