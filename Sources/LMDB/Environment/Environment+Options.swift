package import LMDBPages
package import StoreFiles

extension Environment {
  /// What a commit promises.
  package enum Durability: Sendable, Equatable {
    /// A commit that has returned survives a power cut. LMDB syncs the data, and then writes the meta page through a
    /// descriptor that syncs (`O_DSYNC`). On Apple's systems the drive's cache is flushed too.
    case full
    /// The end of the process, even by a signal, undoes no commit that has returned. A power cut may undo the last
    /// transaction, which several writes may have shared; nothing damages the store. LMDB syncs the data before it
    /// writes the meta page, but does not sync the meta page (`MDB_NOMETASYNC`): the sync of the next transaction, or
    /// the system at some time, makes it durable. On Apple's systems the data may still be in the drive's cache, which
    /// can lose and reorder it.
    case relaxed
    /// A power cut may destroy the store. Only for a file that nobody relies on yet: load it, call `sync`, then rename
    /// it.
    case temporaryImport
  }

  /// When free pages go back to the file system.
  package struct GivingBackLimits: Sendable, Equatable {
    /// How many pages a commit has to give up so that another one, which changes nothing, makes them usable.
    package var manyPages = 64
    /// Fewer bytes are not worth it.
    package var least = 1 << 20
    /// How many bytes of the free pages that LMDB takes next keep their blocks; nil for what the file keeps of the reserve.
    package var kept: Int?
    /// How many bytes of the reserve the file keeps where the disk has plenty: as much as some deletions change, one after another.
    package var keptWherePlenty = 4 << 20
    /// After how many seconds a step ends with the hole that it is at: some file systems wait for the device at each, for milliseconds.
    package var stepSeconds = 0.02

    package init() {}
  }

  /// How to open a store.
  package struct Options: Sendable {
    /// The databases to open. With `create`, missing ones are created.
    package var databases: [String]
    /// Whether a missing directory, store or database is created.
    package var create: Bool
    /// Whether writes are refused.
    package var readOnly: Bool
    /// What a commit promises.
    package var durability: Durability
    /// Bytes of address space to map at first. The size is halved until the system grants it.
    package var initialMapSize: Int
    /// Bytes that the map, and so the file, may never exceed.
    package var maxMapSize: Int
    /// The largest number of read transactions at one time, over all processes. The first process that opens the store
    /// decides.
    package var maxReaders: Int
    /// Seconds to wait for this process's transactions to end before the map is renewed.
    package var mapWait: Double
    /// When free pages go back to the file system.
    package var givingBack = GivingBackLimits()
    /// What is checked before LMDB changes pages.
    package var pageChecks = PageChecks()
    /// Seconds, from the request of a write, after which it stops waiting for another process; nil for never. A write that then
    /// finds LMDB's write transaction taken by a checkpoint waits as long for that.
    package var writerWait: Double?
    /// Seconds after which an opening gives up waiting for another process that creates or opens the store.
    package var openWait = Options.defaultOpenWait
    /// Called once a second, on the waiting thread, while a write waits for another process. It receives the id of that
    /// process and the time waited.
    package var onWriterWait: (@Sendable (WriterWait) -> Void)?

    package init(
      databases: [String], create: Bool = false, readOnly: Bool = false, durability: Durability = .full,
      initialMapSize: Int = Options.defaultMapSize, maxMapSize: Int = Options.defaultMaxMapSize,
      maxReaders: Int = 1022, mapWait: Double = 5
    ) {
      self.databases = databases
      self.create = create
      self.readOnly = readOnly
      self.durability = durability
      self.initialMapSize = initialMapSize
      self.maxMapSize = maxMapSize
      self.maxReaders = maxReaders
      self.mapWait = mapWait
    }

    /// What others do with a store that they open takes some milliseconds.
    package static let defaultOpenWait = 5.0
    /// 64 GiB if pointers have 64 bits: this takes only address space, the file grows page by page.
    package static let defaultMapSize = Int.bitWidth == 64 ? 64 << 30 : 256 << 20
    /// 4 TiB if pointers have 64 bits.
    package static let defaultMaxMapSize = Int.bitWidth == 64 ? 4 << 40 : 1 << 30
  }
}
