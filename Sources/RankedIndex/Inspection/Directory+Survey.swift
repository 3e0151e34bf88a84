package import LMDB
internal import SatchelBytes
package import StoreFiles

extension Directory {
  /// Returns a directory without trees whose next numbers are above every number in the databases. It is for trees
  /// that are to be built again beside the existing ones, or in their place. Its sequence is the greatest that an
  /// undamaged node has. O(nodes + continuations).
  ///
  /// Numbers that no store gets to are damage.
  package static func surveying(
    _ transaction: ReadTransaction, nodes: Database, texts: Database
  ) throws(LMDBError) -> Directory {
    var directory = Directory()
    var cursor = try transaction.cursor(nodes)
    while let entry = unsafe try cursor.next() {
      if unsafe entry.key.count == 8 {
        let number = unsafe entry.key.bytes.be64(0)
        if number >= NodeStore.firstLeaf {
          if number < NodeStore.leastDamaged { directory.nextLeaf = max(directory.nextLeaf, number + 1) }
        } else if number < NodeStore.leastDamagedInner {
          directory.nextInner = max(directory.nextInner, number + 1)
        }
      }
      // Only an undamaged node proves that its commit exists.
      let bytes = unsafe entry.value.bytes
      if bytes.byteCount >= NodeHeader.byteCount,
        NodeHeader.checksum(bytes) == bytes.u64(NodeHeader.checksumOffset)
      {
        let sequence = bytes.u64(NodeHeader.sequenceOffset)
        if sequence < NodeStore.leastDamaged { directory.sequence = max(directory.sequence, sequence) }
      }
    }
    var continuations = try transaction.cursor(texts)
    while let entry = unsafe try continuations.next() {
      if unsafe entry.key.count == 8, unsafe entry.key.bytes.be64(0) < NodeStore.leastDamaged {
        directory.nextContinuation = unsafe max(directory.nextContinuation, entry.key.bytes.be64(0) + 1)
      }
    }
    return directory
  }
}
