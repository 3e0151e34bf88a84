internal import LMDB
package import SatchelCoding

extension Snapshot {
  /// Calls `visit` with every entry of the database of messages from a key on, until it returns false.
  package func scanMessages(
    from start: MessageKey = MessageKey(conversation: 0, sequence: 0),
    _ visit: (MessageKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var cursor = try transaction.cursor(databases.messages)
    var entry = unsafe try cursor.seek(start.bytes)
    while let (key, value) = unsafe entry {
      let parsed = try decoding("messages", "?") { () throws(CodingError) in
        unsafe try MessageKey(messages: key)
      }
      guard unsafe try visit(parsed, value) else { return }
      unsafe entry = try cursor.next()
    }
  }

  /// Calls `visit` with every entry of the database of bodies from a key on, until it returns false.
  package func scanBodies(
    from start: BodyKey = BodyKey(message: MessageKey(conversation: 0, sequence: 0), part: 0, piece: 0),
    _ visit: (BodyKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var cursor = try transaction.cursor(databases.bodies)
    var entry = unsafe try cursor.seek(start.bytes)
    while let (key, value) = unsafe entry {
      let parsed = try decoding("bodies", "?") { () throws(CodingError) in unsafe try BodyKey(key) }
      guard unsafe try visit(parsed, value) else { return }
      unsafe entry = try cursor.next()
    }
  }

  /// Calls `visit` with every entry of the database of objects from a key on, until it returns false.
  package func scanObjects(
    from start: ObjectKey = .header, _ visit: (ObjectKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var cursor = try transaction.cursor(databases.objects)
    var entry = unsafe try cursor.seek(start.bytes)
    while let (key, value) = unsafe entry {
      let parsed = try decoding("objects", "?") { () throws(CodingError) in unsafe try ObjectKey(key) }
      guard unsafe try visit(parsed, value) else { return }
      unsafe entry = try cursor.next()
    }
  }
}
