/// The values that a database had before a write, for each key that the write has changed.
///
/// A write that joins the transaction of other writes may fail alone. LMDB can only abort a whole transaction (nested
/// ones are not used: they copy every page that the outer one has changed), so the old values are put back one by one.
/// The log takes as much memory as the values that the write overwrites or removes; of a new key it keeps only the key.
struct UndoLog {
  /// A key of a database, by LMDB's handle of the database.
  struct Location: Hashable {
    let database: UInt32
    let key: [UInt8]
  }

  private var known: Set<Location> = []
  /// In the order of the first change of each key. The value is nil if the key did not exist.
  private(set) var images: [(location: Location, value: [UInt8]?)] = []

  /// Returns whether a key still has to be logged, which is so at its first change. The key then counts as logged, so
  /// `add` has to follow.
  mutating func needs(_ location: Location) -> Bool { known.insert(location).inserted }

  mutating func add(_ location: Location, _ value: UnsafeRawBufferPointer?) {
    unsafe images.append((location, value.map { unsafe [UInt8]($0) }))
  }
}
