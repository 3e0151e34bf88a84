package import LMDB
internal import SatchelBytes
package import StoreFiles

extension Directory {
  /// Returns a directory without trees whose next numbers are above every number in the databases. It is for trees
  /// that are to be built again beside the existing ones, or in their place. Its sequence is the greatest that an
  /// undamaged node has. O(nodes + continuations).
  package static func surveying(
    _ transaction: ReadTransaction, nodes: Database, texts: Database
  ) throws(LMDBError) -> Directory {
    var directory = Directory()
    var cursor = try transaction.cursor(nodes)
    while let entry = unsafe try cursor.next() {
      if unsafe entry.key.count == 8 {
        let next = unsafe entry.key.bytes.be64(0) &+ 1
        if next > NodeStore.firstLeaf {
          directory.nextLeaf = max(directory.nextLeaf, next)
        } else {
          directory.nextInner = max(directory.nextInner, next)
        }
      }
      // Only an undamaged node proves that its commit exists.
      let bytes = unsafe entry.value.bytes
      if bytes.byteCount >= NodeHeader.byteCount,
        NodeHeader.checksum(bytes) == bytes.u64(NodeHeader.checksumOffset)
      {
        directory.sequence = max(directory.sequence, bytes.u64(NodeHeader.sequenceOffset))
      }
    }
    var continuations = try transaction.cursor(texts)
    while let entry = unsafe try continuations.next() {
      if unsafe entry.key.count == 8 {
        directory.nextContinuation = unsafe max(directory.nextContinuation, entry.key.bytes.be64(0) &+ 1)
      }
    }
    return directory
  }
}
