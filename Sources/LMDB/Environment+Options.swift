extension Environment {
  /// What a commit promises.
  package enum Durability: Sendable, Equatable {
    /// A commit that has returned survives a power cut. LMDB syncs the data, and then writes the meta page through a
    /// descriptor that syncs (`O_DSYNC`); Apple's systems flush the drive's cache besides.
    case full
    /// The end of the process, by a signal too, undoes nothing that has returned. A power cut may undo the last transaction,
    /// which may be that of several writes that shared it; nothing damages the store. LMDB syncs the data before it writes
    /// the meta page, but not that page (`MDB_NOMETASYNC`): the sync of the next transaction, or the system in its own time,
    /// makes it durable. On Apple's systems the data may still be in the drive's cache, which can lose and reorder it.
    case relaxed
    /// A power cut may destroy the store. Only for a file nobody relies on yet: load, `sync`, then rename it.
    case temporaryImport
  }

  /// How many writers of this process share a transaction, and for how long it waits for their work.
  package struct Sharing: Sendable, Equatable {
    /// Writers of one transaction, the first one included.
    package var writers: Int
    /// Seconds after which nobody joins any more, from the end of the first one's work on.
    package var seconds: Double

    /// The usual limits: about what a commit takes, so that nobody waits much longer for a crowd than for the one in front.
    package init(writers: Int = 64, seconds: Double = 0.002) {
      self.writers = writers
      self.seconds = seconds
    }

    /// Each writer has a transaction of its own.
    package static let none = Sharing(writers: 1)
  }

  /// How much of a store is checked at once, before the first write, and not only when a write comes to it.
  package struct PageChecks: Sendable, Equatable {
    /// Whether there are checks at all. Only tests turn them off, to see what damage does.
    package var isOn = true
    /// Pages of a store that is checked as a whole: four megabytes of them take a millisecond or two.
    package var store: UInt64 = 1024
    /// Leaves of a database that are all checked.
    package var leaves: UInt64 = 512
    /// Leaves of a database with values in overflow pages that are all checked, because they alone name those.
    package var namingLeaves: UInt64 = 4096

    package init() {}
  }

  /// How to open a store.
  package struct Options: Sendable {
    /// The databases to open, and to create with `create`.
    package var databases: [String]
    /// Whether a missing directory, store or database is created.
    package var create: Bool
    /// Whether writes are refused.
    package var readOnly: Bool
    /// What a commit promises.
    package var durability: Durability
    /// Bytes of address space to map at first; halved until the system grants it.
    package var initialMapSize: Int
    /// Bytes that the map, and so the file, may never exceed.
    package var maxMapSize: Int
    /// Read transactions at one time, over all processes. The first process to open the store decides.
    package var maxReaders: Int
    /// Seconds to wait for this process's transactions before the map is renewed.
    package var mapWait: Double
    /// How writers share transactions.
    package var sharing: Sharing
    /// What is checked before LMDB changes pages.
    package var pageChecks = PageChecks()
    /// Seconds after which a write gives up that another process keeps waiting, from when it was asked for; nil for never.
    package var writerWait: Double?
    /// Told, on the thread that waits, once a second whom a write waits for that another process keeps waiting.
    package var onWriterWait: (@Sendable (WriterWait) -> Void)?

    package init(
      databases: [String], create: Bool = false, readOnly: Bool = false, durability: Durability = .full,
      initialMapSize: Int = Options.defaultMapSize, maxMapSize: Int = Options.defaultMaxMapSize,
      maxReaders: Int = 1022, mapWait: Double = 5, sharing: Sharing = Sharing()
    ) {
      self.databases = databases
      self.create = create
      self.readOnly = readOnly
      self.durability = durability
      self.initialMapSize = initialMapSize
      self.maxMapSize = maxMapSize
      self.maxReaders = maxReaders
      self.mapWait = mapWait
      self.sharing = sharing
    }

    /// 64 GiB where pointers have 64 bits: address space only, the file grows page by page.
    package static let defaultMapSize = Int.bitWidth == 64 ? 64 << 30 : 256 << 20
    /// 4 TiB where pointers have 64 bits.
    package static let defaultMaxMapSize = Int.bitWidth == 64 ? 4 << 40 : 1 << 30
  }
}
