internal import LMDB
import SatchelBytes

extension Forest {
  /// Visits every node of the file, whatever its tree, by ascending number.
  package func forEachNode(_ body: (NodeDescription) throws -> Void) throws {
    if isWriting { try flush() }
    var cursor: LMDB.Cursor
    do { cursor = try store.transaction.cursor(store.database) } catch { throw IndexError.lmdb(error) }
    while let (key, value) = unsafe try Self.next(&cursor) {
      guard key.count == 8 else {
        throw IndexError.corrupt(tree: 0, node: 0, what: "a node's key has \(key.count) bytes")
      }
      unsafe try body(NodeDescription(number: key.bytes.be64(0), value: value))
    }
  }

  /// Returns one node, decoded as far as its bytes allow, or nil if there is none.
  package func decodeNode(_ number: UInt64) throws(IndexError) -> NodeDescription? {
    if isWriting { try flush() }
    do {
      guard let value = unsafe try store.transaction.get(store.database, number: number) else { return nil }
      return unsafe NodeDescription(number: number, value: value)
    } catch {
      throw .lmdb(error)
    }
  }

  private static func next(
    _ cursor: inout LMDB.Cursor
  ) throws(IndexError) -> (UnsafeRawBufferPointer, UnsafeRawBufferPointer)? {
    do {
      guard let entry = unsafe try cursor.next() else { return nil }
      return unsafe (entry.key, entry.value)
    } catch {
      throw .lmdb(error)
    }
  }
}
