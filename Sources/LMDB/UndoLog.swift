/// What a database held, under each key that a write has changed, before that write.
///
/// A write that joins the transaction of others may fail alone. LMDB can only give up a transaction whole (nested ones are
/// not used: they copy every page that the outer one has changed), so the old values are put back, one by one. What is
/// kept is as large as what the write overwrites or removes; new keys cost only themselves.
struct UndoLog {
  struct Place: Hashable {
    let database: UInt32
    let key: [UInt8]
  }

  private var known: Set<Place> = []
  /// In the order in which they were changed first; nil where there was nothing.
  private(set) var images: [(place: Place, value: [UInt8]?)] = []

  /// Whether a key has to be noted: at its first change. After this it counts as noted, so `add` has to follow.
  mutating func needs(_ place: Place) -> Bool { known.insert(place).inserted }

  mutating func add(_ place: Place, _ value: UnsafeRawBufferPointer?) {
    images.append((place, value.map { [UInt8]($0) }))
  }
}
