package import LMDB
package import SatchelCoding
package import StoreFiles

/// The LMDB databases of a store. There are few, because each database that a commit changes costs the commit one path
/// of pages.
package final class Databases: Sendable {
  /// The nodes of all indexes, and their directory.
  package let nodes: Database
  /// The part of long texts that does not fit into the nodes of string trees.
  package let texts: Database
  /// The records of messages, clustered by conversation.
  package let messages: Database
  /// The pieces of contents too large for a record.
  package let bodies: Database
  /// All other records, by kind.
  package let objects: Database

  package static let names = ["nodes", "texts", "messages", "bodies", "objects"]
  /// Those whose values follow from the records of the others.
  package static let namesOfIndexes = ["nodes", "texts"]

  package init(_ environment: Environment) throws(LMDBError) {
    nodes = try environment.database("nodes")
    texts = try environment.database("texts")
    messages = try environment.database("messages")
    bodies = try environment.database("bodies")
    objects = try environment.database("objects")
  }
}

extension ReadTransaction {
  /// Returns the value of a key, or nil. It is valid until the next change or the end of the transaction.
  package func get(_ database: Database, _ key: KeyBytes) throws(LMDBError) -> UnsafeRawBufferPointer? {
    unsafe try get(database, key.bigEndianWords, count: key.count)
  }
}

extension Cursor {
  /// Moves to the first entry whose key is not smaller than `key`, and returns it, or nil.
  package mutating func seek(_ key: KeyBytes) throws(LMDBError) -> Entry? {
    let bytes = key.array
    return unsafe try withUnsafeTemporaryKey(bytes) { pointer throws(LMDBError) in
      unsafe try seek(atOrAfter: pointer)
    }
  }
}

/// Calls `body` with the bytes of an array. A typed error of `body` passes unchanged.
@inlinable @inline(__always)
package func withUnsafeTemporaryKey<R, E: Error>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(E) -> R
) throws(E) -> R {
  let outcome: Result<R, E> = unsafe bytes.withUnsafeBytes { pointer in
    do throws(E) { return .success(try unsafe body(pointer)) } catch { return .failure(error) }
  }
  return try outcome.get()
}
