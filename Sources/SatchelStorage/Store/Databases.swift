package import LMDB
internal import SatchelCoding

/// The LMDB databases of a store. Few, because each one that a commit changes costs it a path of pages.
package final class Databases: Sendable {
  /// The nodes of all indexes, and their directory.
  package let nodes: Database
  /// What of long texts does not fit the nodes of string trees.
  package let texts: Database
  /// The records of messages, clustered by conversation.
  package let messages: Database
  /// The pieces of contents too large for a record.
  package let bodies: Database
  /// Everything else, by kind.
  package let objects: Database

  package static let names = ["nodes", "texts", "messages", "bodies", "objects"]

  init(_ environment: Environment) throws(LMDBError) {
    nodes = try environment.database("nodes")
    texts = try environment.database("texts")
    messages = try environment.database("messages")
    bodies = try environment.database("bodies")
    objects = try environment.database("objects")
  }

  /// The database that holds the record of a message or an announcement.
  func records(of key: MessageKey) -> Database { key.isAnnouncement ? objects : messages }
}

extension ReadTransaction {
  /// The value under a key, or nil; good until the next change or the end of the transaction.
  func get(_ database: Database, _ key: KeyBytes) throws(LMDBError) -> UnsafeRawBufferPointer? {
    unsafe try get(database, key.bigEndianWords, count: key.count)
  }
}

extension Cursor {
  /// The first entry whose key is not smaller than `key`, or nil.
  mutating func seek(_ key: KeyBytes) throws(LMDBError) -> Entry? {
    let bytes = key.array
    return unsafe try withUnsafeTemporaryKey(bytes) { pointer throws(LMDBError) in
      unsafe try seek(atOrAfter: pointer)
    }
  }
}

/// Calls `body` with the bytes of an array, passing a typed error through.
@inline(__always)
func withUnsafeTemporaryKey<R, E: Error>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(E) -> R
) throws(E) -> R {
  let outcome: Result<R, E> = unsafe bytes.withUnsafeBytes { pointer in
    do throws(E) { return .success(try unsafe body(pointer)) } catch { return .failure(error) }
  }
  return try outcome.get()
}
