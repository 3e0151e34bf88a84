internal import LMDB
internal import RankedIndex
internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelStorage

/// Checks what describes the file as a whole: its header, and which databases it has.
extension Verifier {
  mutating func checkHeader(_ header: StoreHeader) {
    let versions = header.versions
    func fault(_ finding: String) { report.add("header", "", finding) }
    if versions.format < 1 || versions.minimumReader < 1 || versions.minimumReader > versions.format {
      fault("format \(versions.format) cannot be read from format \(versions.minimumReader) on")
    }
    // Format 4 introduced the second index set.
    if versions.indexSet < 1 || (versions.indexSet >= 2) != (versions.format >= 4) {
      fault("set \(versions.indexSet) of the indexes is not that of format \(versions.format)")
    }
    if versions.format < StoreHeader.OptionalIndexes.format, !versions.optionalIndexes.isEmpty {
      fault("format \(versions.format) has no index of messages' metadata, and the store is to have one")
    }
    if versions.format < 2, snapshot.seal[.aggregates].count > 0 {
      fault("format \(versions.format) has no aggregates, and the store has some")
    }
    if versions.format < 9, snapshot.seal[.deletions].count > 0 {
      fault("format \(versions.format) does not remember deletions, and the store does")
    }
    let recent = try? snapshot.forest.count(IndexCatalog.messageIdentifierRecent.tree)
    if versions.format < 3, recent != 0 {
      fault(
        "format \(versions.format) has no index \(IndexCatalog.messageIdentifierRecent.name), and the store has one"
      )
    }
    if !Self.isIdentifier(header.user) { fault("the user is not an identifier") }
  }

  /// Whether bytes are an identifier: any UTF-8 that is not empty and has no NUL.
  static func isIdentifier(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
  }

  /// Checks that the file has no databases other than those of the format.
  mutating func checkDatabases() throws {
    for name in try snapshot.transaction.databaseNames() {
      let name = String(decoding: name, as: UTF8.self)
      if !Databases.names.contains(name) {
        report.addDerived("databases", name, "the format has no database of this name")
      }
    }
  }
}
