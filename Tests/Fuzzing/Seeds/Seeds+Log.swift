import SatchelCoding
import SatchelModel

extension FuzzTarget {
  /// Entries of the log that name records of applications, beside the examples of FORMAT.md, without their checksums.
  static func changeLogSeeds() -> [[UInt8]] {
    let key = TypedRecordKey(type: 2, sequence: 1042)
    let reference = Reference(type: "list", name: "work").keyBytes
    let fields = [
      MetadataChange(path: 0, before: .reference(reference)), MetadataChange(path: 3, before: .missing),
      MetadataChange(path: 4, before: .list([Array("a".utf8), []])), MetadataChange(path: 9, before: .long),
      MetadataChange(path: 11, before: .scalar(.integer(-5))),
    ]
    let users = [BeforeValue(.owner, .word(3)), BeforeValue(.updatedBy, .word(0))]
    let entries = [
      ChangeLogEntry(changes: [
        LoggedChange(.record(TypedRecordKey(type: 0, sequence: 1041)), .created),
        LoggedChange(
          .record(key), .updated, properties: LoggedProperties([.metadata, .owner, .updatedBy]),
          before: users,
          metadata: fields),
      ]),
      ChangeLogEntry(changes: [
        LoggedChange(
          .record(key), .deleted, before: [BeforeValue(.identifier, .text(Array("write".utf8)))] + users,
          metadata: fields)
      ]),
    ]
    return entries.map { $0.encode(commit: 12).dropLast(8) }
  }
}
