extension Environment {
  /// What a commit promises.
  package enum Durability: Sendable, Equatable {
    /// A commit that has returned survives a power cut.
    case full
    /// A power cut may undo the last commits, never damage the store.
    case relaxed
    /// A power cut may destroy the store. Only for a file nobody relies on yet: load, `sync`, then rename it.
    case temporaryImport
  }

  /// How to open a store.
  package struct Options: Sendable, Equatable {
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

    /// 64 GiB where pointers have 64 bits: address space only, the file grows page by page.
    package static let defaultMapSize = Int.bitWidth == 64 ? 64 << 30 : 256 << 20
    /// 4 TiB where pointers have 64 bits.
    package static let defaultMaxMapSize = Int.bitWidth == 64 ? 4 << 40 : 1 << 30
  }
}
