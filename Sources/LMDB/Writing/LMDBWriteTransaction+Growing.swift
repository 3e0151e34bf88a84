internal import LMDBPages
package import StoreFiles

/// Entries that are about to come into one leaf, more than fit there, in a group of neighbours that goes on within it: as a
/// conversation that others follow.
package struct LeafGrowth {
  /// Which of the changes are to be made in ascending order.
  package let changes: Range<Int>
  /// The keys of the leaf's entries behind the first one of these.
  let keysBehind: [[UInt8]]
}

/// How a group of neighbours grows that is not the last one of its table.
///
/// LMDB divides a full leaf in the middle. Where new entries always come at one place within it, the half before that place stays
/// as it is for ever, half empty, and the next leaf of the group becomes the same. LMDB leaves a leaf full if what comes is put
/// behind its last entry. So what lies behind the place is taken away until the new entries are there.
extension LMDBWriteTransaction {
  /// Finds the leaves in which that is so.
  ///
  /// It looks at the state that the transaction began on, not at what has been changed since: nothing but room depends on it.
  /// O(log n) a change.
  /// - Parameters:
  ///   - groupBytes: How many bytes at the beginning of a key say to which group an entry belongs.
  ///   - count: The number of changes, in the order of their keys, no key twice.
  ///   - change: Returns the key of a change and the bytes of its value; nil for a removal.
  /// - Returns: What to pass to `grow`, in the order of the keys; nothing if LMDB has to be asked for the state.
  package func growths(
    of database: Database, groupBytes: Int, _ count: Int,
    _ change: (Int) -> (key: UnsafeRawBufferPointer, bytes: Int?)
  ) throws(LMDBError) -> [LeafGrowth] {
    guard let (map, tree) = try stateBefore(database, "grow") else { return [] }
    if tree.isEmpty { return [LeafGrowth(changes: 0..<count, keysBehind: [])] }
    var found: [LeafGrowth] = []
    do throws(PageFault) {
      var growing: GrowingLeaf?
      func add(through end: Int) throws(PageFault) {
        guard let (change, keys) = try growing?.growth() else { return }
        found.append(LeafGrowth(changes: change..<end, keysBehind: keys))
      }
      for index in 0..<count {
        let (bytes, length) = unsafe change(index)
        guard let key = unsafe SearchKey(bytes) else { return [] }
        let leaf = try map.leaf(for: key, from: tree.root, depth: tree.depth)
        if growing?.leaf.number != leaf.number {
          try add(through: index)
          growing = GrowingLeaf(leaf, groupBytes: groupBytes)
        }
        unsafe try growing?.add(index, key, bytes, length)
      }
      try add(through: count)
    } catch {
      throw refused(environment.damage(error, "grow"))
    }
    return found
  }

  /// Makes the changes of one growth. What it takes away is back afterwards.
  /// - Parameters:
  ///   - key: Returns the key of a change.
  ///   - make: Makes a change, in this transaction and database.
  package func grow(
    _ growth: LeafGrowth, of database: Database, _ key: (Int) -> UnsafeRawBufferPointer,
    _ make: (Int) throws -> Void
  ) throws {
    // Copies: each change may move LMDB's memory.
    var behind: [(key: [UInt8], value: [UInt8])] = []
    for key in growth.keysBehind {
      unsafe try key.withUnsafeBytes { bytes in
        guard let value = unsafe try get(database, bytes) else { return }
        unsafe behind.append((key, Array(value)))
        _ = unsafe try delete(database, bytes)
      }
    }
    func putBack(_ entry: (key: [UInt8], value: [UInt8])) throws {
      unsafe try entry.key.withUnsafeBytes { key in
        unsafe try entry.value.withUnsafeBytes { value in unsafe try put(database, key, value) }
      }
    }
    var next = 0
    for index in growth.changes {
      // Also the one that is changed.
      while next < behind.count, unsafe !key(index).lexicographicallyPrecedes(behind[next].key) {
        try putBack(behind[next])
        next += 1
      }
      try make(index)
    }
    for entry in behind[next...] { try putBack(entry) }
  }
}
