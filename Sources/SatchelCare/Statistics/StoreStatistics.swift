package import LMDB
internal import RankedIndex
package import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelReading
package import SatchelRecords
package import SatchelStorage

/// The sizes of a store's tables and indexes, and the state of its file.
package struct StoreStatistics: Sendable {
  /// One table or index.
  package struct Part: Sendable, Hashable {
    package let name: String
    /// Of the last commit. Of nodes and texts, whatever the journal has, those in `data.mdb`.
    package let entries: Int
    /// The bytes of its pages in `data.mdb` or, if it shares pages with other parts, of its keys and values.
    package let bytes: Int
    /// The number of levels of nodes or pages in `data.mdb`; 0 if it has nothing there.
    package let height: Int
  }

  /// A declared index.
  package struct DeclaredIndex: Sendable {
    package let index: DeclaredIndexRecord
    /// Of the last commit.
    package let entries: Int
    /// About how many bytes its entries take in `data.mdb`: nodes that have entries of several indexes are shared by their numbers.
    package let bytes: Int
    /// Of an index of words, how many objects have a text, and how many words and characters all these texts have, of the last commit. How many
    /// bytes the texts have, it does not know.
    package let words: (objects: Int, length: UInt64)?
  }

  package var tables: [Part] = []
  package var indexes: [Part] = []
  package var fileBytes = 0
  /// The bytes of free pages, which later commits use again.
  package var freeBytes = 0
  /// The sequence of the last commit.
  package var sequence: UInt64 = 0
  /// The sequence of the last commit that is in `data.mdb`. The commits after it are in the journal.
  package var databaseSequence: UInt64 = 0
  /// The first commit from which on the change log is complete, the number of its entries, and their bytes.
  package var log = Seal.Log(first: 1, count: 0, bytes: 0)
  /// The registered readers of the change log.
  package var consumers: [Consumer] = []
  /// The declared aggregates, and how many groups each has.
  package var aggregates: [(definition: AggregateEntry, groups: Int)] = []
  package var declaredIndexes: [DeclaredIndex] = []
  /// The declared record types, and how many records of each there are.
  package var types: [(type: RecordType, records: Int)] = []
  /// How many key paths of metadata have a number, and how many of them each index of metadata has values of. A path keeps its number,
  /// also if no object has it any more.
  package var metadataPaths = 0
  package var indexedPaths: [(index: String, count: Int)] = []
  /// The number of read transactions that have a slot, of all processes, including idle ones.
  package var readers = 0
  /// The number of commits since the oldest snapshot that is being read.
  package var readerLag: UInt64 = 0
  /// The readers of snapshots, the oldest first, without the one that asks.
  package var activeReaders: [Environment.Reader] = []
}

extension Store {
  /// Returns who is reading a snapshot of the store now, in this and every other process, the oldest first. While a
  /// snapshot is held for long, pages that commits give up cannot be reused.
  package func readers() throws -> [Environment.Reader] {
    do { return try environment.info.activeReaders } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  /// Measures the store. Reads all nodes of the indexes and all objects other than messages.
  package func statistics() throws -> StoreStatistics {
    var statistics = StoreStatistics()
    // Before the snapshot of this function is among them.
    statistics.activeReaders = try readers()
    try read { snapshot in
      let info = try environment.info
      statistics.fileBytes = info.fileBytes
      statistics.freeBytes = info.freePages * info.pageSize
      statistics.readers = info.readers
      statistics.readerLag = info.readerLag
      statistics.sequence = snapshot.seal.commit
      statistics.databaseSequence = snapshot.databaseCommit
      statistics.log = snapshot.seal.log
      statistics.consumers = try snapshot.consumers()
      statistics.aggregates = try snapshot.aggregates().map {
        ($0.entry, try snapshot.groupCount(of: $0))
      }
      let declared = try snapshot.declaredIndexes()
      let sizes = try snapshot.sizes(ofDeclared: declared)
      statistics.declaredIndexes = try zip(declared, sizes.bytes).map { index, bytes in
        .init(
          index: index, entries: try snapshot.entries(ofDeclared: index.id), bytes: bytes,
          words: index.definition.isOfWords ? try snapshot.words(ofDeclared: index.id) : nil)
      }
      statistics.types = try snapshot.recordTypes().map {
        ($0.type, try snapshot.recordCount(ofType: $0.id))
      }
      statistics.tables = try snapshot.tableStatistics(pageSize: info.pageSize)
      for index in IndexCatalog.numeric {
        let tree = try snapshot.forest.statistics(index.tree)
        statistics.indexes.append(.init(index.name, entries: try snapshot.forest.count(index.tree), tree))
      }
      for index in IndexCatalog.text {
        let isDeclared = index.tree.id == IndexCatalog.declaredEntries.tree.id
        let tree = isDeclared ? sizes.tree : try snapshot.forest.statistics(index.tree)
        statistics.indexes.append(.init(index.name, entries: try snapshot.forest.count(index.tree), tree))
      }
      statistics.metadataPaths = Int(snapshot.seal[nextID: .metadataPaths])
      for index in IndexCatalog.text where index.columns.first == "key path" {
        let count = try (0..<snapshot.seal[nextID: .metadataPaths]).count { path in
          try [true, false].contains { texts in
            let group = IndexedValue.group(ofPath: path, texts: texts)
            return try snapshot.forest.count(index.tree, in: .group(group)) > 0
          }
        }
        statistics.indexedPaths.append((index.name, count))
      }
    }
    return statistics
  }
}

extension StoreStatistics.Part {
  fileprivate init(_ name: String, entries: Int, _ tree: TreeStatistics) {
    self.init(name: name, entries: entries, bytes: tree.bytes, height: tree.height)
  }
}

extension Snapshot {
  fileprivate func tableStatistics(pageSize: Int) throws -> [StoreStatistics.Part] {
    func whole(_ name: String, _ database: Database) throws -> StoreStatistics.Part {
      let tree = try transaction.statistics(of: database)
      return StoreStatistics.Part(
        name: name, entries: tree.entries, bytes: tree.pages * pageSize, height: tree.depth)
    }
    var entries = [Int](repeating: 0, count: ObjectParts.names.count)
    var bytes = entries
    try scanObjects { key, value in
      let index = ObjectParts.index(of: key)
      entries[index] += 1
      bytes[index] += key.bytes.count + value.count
      return true
    }
    let height = try transaction.statistics(of: databases.objects).depth
    // Their pages are those of LMDB, and the journal may have more of them.
    func records(_ name: String, _ database: Database, _ table: Seal.Table) throws -> StoreStatistics.Part {
      let pages = try whole(name, database)
      return StoreStatistics.Part(
        name: name, entries: Int(clamping: seal[table].count), bytes: pages.bytes, height: pages.height)
    }
    return [
      try records("messages", databases.messages, .messages),
      try records("bodies", databases.bodies, .bodies),
      try whole("nodes", databases.nodes), try whole("texts", databases.texts),
    ]
      + ObjectParts.names.indices.map {
        StoreStatistics.Part(
          name: ObjectParts.names[$0], entries: entries[$0], bytes: bytes[$0],
          height: entries[$0] == 0 ? 0 : height)
      }
  }
}

extension Snapshot {
  /// How many commits the store has had since this snapshot. O(1).
  package var commitsBehind: UInt64 {
    get throws {
      let last = try transaction.environment.readableTransaction
      return last - min(last, number)
    }
  }
}
