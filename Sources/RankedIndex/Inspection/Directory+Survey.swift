package import LMDB
internal import SatchelBytes

extension Directory {
  /// A directory without trees whose next numbers are above every number that the tables have: for trees that are to be
  /// built anew beside what is there, or in its place. Its sequence is the greatest that a node names. O(nodes).
  package static func surveying(
    _ transaction: ReadTransaction, nodes: Database, texts: Database
  ) throws(LMDBError) -> Directory {
    var directory = Directory()
    var cursor = try transaction.cursor(nodes)
    while let entry = try cursor.next() {
      if entry.key.count == 8 {
        let next = entry.key.bytes.be64(0) &+ 1
        if next > NodeStore.firstLeaf {
          directory.nextLeaf = max(directory.nextLeaf, next)
        } else {
          directory.nextInner = max(directory.nextInner, next)
        }
      }
      // Only a node that is whole tells of a commit.
      let bytes = entry.value.bytes
      if bytes.byteCount >= NodeHeader.byteCount,
        NodeHeader.checksum(bytes) == bytes.u64(NodeHeader.checksumOffset)
      {
        directory.sequence = max(directory.sequence, bytes.u64(NodeHeader.sequenceOffset))
      }
    }
    var continuations = try transaction.cursor(texts)
    while let entry = try continuations.next() {
      if entry.key.count == 8 {
        directory.nextContinuation = max(directory.nextContinuation, entry.key.bytes.be64(0) &+ 1)
      }
    }
    return directory
  }
}
