internal import LMDBPages
package import StoreFiles

extension LMDBWriteTransaction {
  /// Makes neighbouring leaves of a database that have free room fewer and fuller: LMDB itself joins two leaves only if one is three
  /// quarters empty. Takes the entries of some leaves away and puts them there again, so that no value changes.
  ///
  /// To be called first in a transaction; after a change it does nothing. The pages that become free can be used two transactions later,
  /// and until then as many others are needed.
  /// - Parameters:
  ///   - key: Where to begin; nil for the first leaf.
  ///   - pages: How many pages to take at most, which is also how many are copied, but for a few.
  ///   - mostRead: After how many leaves with nothing to join to give up.
  ///   - isThorough: Whether to join all neighbours of which a sixteenth becomes free, also those whose values have a page of their own.
  ///     Otherwise each of them is a quarter empty, and an eighth becomes free: little is written for a page that does.
  /// - Returns: How many leaves fewer there are, about; and where to go on, or nil at the end.
  /// - Throws: `corrupted`, `diskFull` and what else a change throws. After that the transaction can only be discarded.
  package func pack(
    _ database: Database, from key: [UInt8]? = nil, pages: Int, reading mostRead: Int,
    thoroughly isThorough: Bool = false
  ) throws(LMDBError) -> (freed: Int, next: [UInt8]?) {
    guard let (map, tree) = try unchanged(database, "pack") else { return (0, nil) }
    let found: SparseLeaves
    do throws(PageFault) {
      found = try SparseLeaves(
        of: tree, in: map, from: key, atMost: pages, reading: mostRead, isThorough: isThorough)
    } catch {
      throw refused(environment.damage(error, "pack"))
    }
    unsafe try found.forEach { key, _ throws(LMDBError) in _ = unsafe try delete(database, key) }
    // In ascending order: where a leaf becomes too small for what is put behind its last entry, LMDB leaves it full.
    unsafe try found.forEach { key, value throws(LMDBError) in unsafe try put(database, key, value) }
    return (found.gain, found.next)
  }
}
