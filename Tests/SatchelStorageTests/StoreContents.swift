import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelReading
import Testing

/// All entries of all indexes and tables.
struct StoreContents: Sendable {
  private var rows: [String: [Words]] = [:]
  private var keys: [String: [TextKey]] = [:]
  /// All records but the seal, which lies in the file only.
  private var records: [String] = []
  private var seal: Seal

  init(_ snapshot: Snapshot) throws {
    seal = snapshot.seal
    // They say how the trees lie in the file.
    seal.trees = []
    seal[.nodes] = Seal.Summary()
    for index in IndexCatalog.numeric { rows[index.tree.name] = try Self.rows(index.tree, snapshot) }
    for index in IndexCatalog.text {
      var found: [TextKey] = []
      var cursor = try snapshot.forest.cursor(index.tree)
      while try cursor.next() != nil { found.append(try #require(try cursor.key())) }
      keys[index.tree.name] = found
    }
    var records: [String] = []
    try snapshot.scanMessages {
      records.append("\($0) \(Array($1))")
      return true
    }
    try snapshot.scanBodies {
      records.append("\($0) \(Array($1))")
      return true
    }
    try snapshot.scanObjects {
      if $0 != .seal { records.append("\($0) \(Array($1))") }
      return true
    }
    self.records = records
  }

  static func rows(_ tree: TreeSchema, _ snapshot: Snapshot) throws -> [Words] {
    var rows: [Words] = []
    var cursor = try snapshot.forest.cursor(tree)
    _ = try cursor.read(into: &rows, limit: .max)
    return rows
  }

  func expectSame(as other: StoreContents) {
    for (name, expected) in other.rows { #expect(rows[name] == expected, "\(name)") }
    for (name, expected) in other.keys { #expect(keys[name] == expected, "\(name)") }
    #expect(records == other.records)
    #expect(seal == other.seal)
  }
}
