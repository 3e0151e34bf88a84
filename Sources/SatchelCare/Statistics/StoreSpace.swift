internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelReading
package import SatchelStorage

/// Where the bytes of `data.mdb` go, by what has them: the parts add up to the file. Commits that are in the journal alone are not
/// in them.
package struct StoreSpace: Sendable {
  /// What has some of the bytes.
  package struct Part: Sendable, Hashable {
    package let name: String
    /// The bytes of its pages or, of records and nodes that share pages with others, their own.
    package internal(set) var bytes: Int
    /// How many of these are taken by entries and nodes. The others are room inside pages.
    package internal(set) var used: Int
    /// Whether the bytes are of pages that are free.
    package let isFree: Bool
  }

  package private(set) var parts: [Part] = []
  package let pageSize: Int
  package let fileBytes: Int
  /// How many bytes of the disk the file has.
  package let diskBytes: Int
  /// How many bytes at the end of the file are free pages.
  package let freeAtEnd: Int

  /// How many bytes of free pages the file system has again.
  package var givenBackBytes: Int { max(0, fileBytes - diskBytes) }
  /// The bytes of free pages.
  package var free: Int { parts.reduce(0) { $1.isFree ? $0 + $1.bytes : $0 } }
  /// The bytes of room inside the pages that are in use.
  package var slack: Int { parts.reduce(0) { $1.isFree ? $0 : $0 + $1.bytes - $1.used } }
}

extension Store {
  /// Tells where the bytes of `data.mdb` go. Reads all of it.
  package func space() throws -> StoreSpace {
    for _ in 0..<Self.attempts {
      if let space = try read({ try StoreSpace(of: $0) }) { return space }
    }
    throw SatchelError(
      .busy, "Other processes write so often that no snapshot could be looked at: try again",
      ["store": directory])
  }

  private static let attempts = 1000
}

extension StoreSpace {
  fileprivate init?(of snapshot: Snapshot) throws {
    guard let aside = try snapshot.transaction.pagesAside() else { return nil }
    let info = try snapshot.transaction.environment.info
    pageSize = info.pageSize
    fileBytes = max(info.fileBytes, aside.pages * pageSize)
    diskBytes = info.diskBytes
    freeAtEnd = aside.freeAtEnd * pageSize
    let databases = snapshot.databases
    for database in [databases.messages, databases.bodies, databases.texts] {
      let table = unsafe try TableSpace(snapshot.transaction, database, pageSize) { _, _, _ in }
      add(database.name, bytes: table.pageBytes, used: table.used)
    }
    try addObjects(snapshot)
    try addNodes(snapshot)
    add("LMDB's own pages", bytes: aside.ownPages * pageSize, used: aside.ownPages * pageSize)
    // LMDB lets a transaction use what the one before the last has given up, and what was given up earlier.
    let last = snapshot.transaction.id
    let names = ["free, by the last commit", "free, by the one before", "free, longer"]
    for (age, name) in names.enumerated() {
      let pages = aside.freed.reduce(0) {
        min(Int(clamping: last - min(last, $1.transaction)), 2) == age ? $0 + $1.pages : $0
      }
      add(name, bytes: pages * pageSize, used: 0, isFree: true)
    }
    add("behind the last page", bytes: fileBytes - aside.pages * pageSize, used: 0, isFree: true)
  }

  private mutating func add(_ name: String, bytes: Int, used: Int, isFree: Bool = false) {
    parts.append(Part(name: name, bytes: bytes, used: used, isFree: isFree))
  }

  /// The records that share the pages of one table, by kind, and what these pages have beside them.
  private mutating func addObjects(_ snapshot: Snapshot) throws {
    var bytes = [Int](repeating: 0, count: ObjectParts.names.count)
    let table = unsafe try TableSpace(snapshot.transaction, snapshot.databases.objects, pageSize) {
      key, _, entry in
      bytes[ObjectParts.index(of: unsafe try ObjectKey(key))] += entry.used
    }
    for (name, bytes) in zip(ObjectParts.names, bytes) { add(name, bytes: bytes, used: bytes) }
    add("pages of these", bytes: table.pageBytes - table.used, used: 0)
  }

  /// The nodes of each index, and the table that has them.
  private mutating func addNodes(_ snapshot: Snapshot) throws {
    var trees: [UInt16: (bytes: Int, used: Int)] = [:]
    // What the table has of a node with pages of its own: its number, and where they are.
    var (own, references) = (0, 0)
    let table = unsafe try TableSpace(snapshot.transaction, snapshot.databases.nodes, pageSize) {
      _, value, entry in
      guard let node = unsafe NodeExtent(value) else { return }
      let bytes = entry.asideBytes > 0 ? entry.asideBytes : entry.used
      trees[node.tree, default: (0, 0)].bytes += bytes
      trees[node.tree, default: (0, 0)].used += entry.asideBytes > 0 ? node.used : entry.used
      own += bytes
      if entry.asideBytes > 0 { references += entry.used - value.count }
    }
    let names =
      IndexCatalog.numeric.map { ($0.number, $0.name) } + IndexCatalog.text.map { ($0.number, $0.name) }
    for (number, name) in names.sorted(by: { $0.0 < $1.0 }) {
      guard let tree = trees[number] else { continue }
      add(name, bytes: tree.bytes, used: tree.used)
    }
    add("table of nodes", bytes: table.pageBytes - own, used: references)
  }
}
