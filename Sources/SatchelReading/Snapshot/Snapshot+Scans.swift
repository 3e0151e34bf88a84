internal import LMDB
internal import RankedIndex
internal import RecordStore
package import SatchelCoding
internal import SatchelIndexing

extension Snapshot {
  /// Calls `visit` with every entry of the database of messages, beginning at a key, until `visit` returns false.
  ///
  /// The bytes are valid until the transaction ends or, in a write, until the write's next change. Only to read them is
  /// unsafe.
  @safe package func scanMessages(
    from start: MessageKey = MessageKey(conversation: 0, sequence: 0),
    _ visit: (MessageKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var cursor = try tables.cursor(.messages)
    var entry = unsafe try cursor.seek(start.bytes)
    while let (key, value) = unsafe entry {
      let parsed = try decoding("messages", "?") { () throws(CodingError) in
        unsafe try MessageKey(messages: key)
      }
      guard unsafe try visit(parsed, value) else { return }
      unsafe entry = try cursor.next()
    }
  }

  /// Whether `forEachVisibleMessage` can tell the visible messages from the others by their conversations alone.
  ///
  /// It cannot while an import has staged objects, because staged messages lie among the messages of visible
  /// conversations. It cannot inside a write either, because the memory of a record ends with the write's next change.
  package var scansVisibleMessages: Bool { pending == nil && seal[.staging].count == 0 }

  /// How many messages are visited before the read's bounds are looked at again.
  private static let visitedBetweenChecks = 128

  /// Calls `visit` with the record of every message that queries may return, in the order of the records in the table
  /// (by conversation, then creation), until `visit` returns false. Only allowed if `scansVisibleMessages`.
  /// - Complexity: O(messages): one step of a cursor for each message, and a look-up for each conversation.
  /// - Throws: As ``checkBounds()``, and for damage. What `visit` throws is passed on.
  package func forEachVisibleMessage(_ visit: (MessageHead) throws -> Bool) throws {
    var visited = 0
    var counted = 0
    defer { metrics.recordsRead &+= visited - counted }
    var visible: UInt32?
    var last: MessageKey?
    var ahead = PagePrefetch()
    var cursor = try tables.cursor(.messages)
    var entry = unsafe try cursor.first()
    scan: while let (bytes, value) = unsafe entry {
      let key: MessageKey
      do { key = unsafe try MessageKey(messages: bytes) } catch {
        throw RecordError("messages", "?", error.description)
      }
      // Keys are not verified here: a damaged one could lead the scan backwards, and into an endless loop.
      if let last, (key.conversation, key.sequence) <= (last.conversation, last.sequence) {
        throw RecordError(
          "messages", "\(key.conversation)/\(key.sequence)", "it lies behind a key that is not before it")
      }
      last = key
      if key.conversation != visible {
        // The messages left of a deleted conversation have no conversation record.
        guard try findConversation(key.conversation)?.isVisible ?? false else {
          guard let next = key.ofNextConversation else { break scan }
          unsafe entry = try cursor.seek(next.bytes)
          continue
        }
        visible = key.conversation
      }
      visited &+= 1
      if visited - counted == Self.visitedBetweenChecks {
        metrics.recordsRead &+= visited - counted
        counted = visited
        try checkBounds()
      }
      unsafe ahead.willRead(value)
      let head: MessageHead
      do { head = unsafe try MessageHead(value, key: key, keyBytes: bytes) } catch {
        throw RecordError("messages", "\(key.conversation)/\(key.sequence)", error.description)
      }
      guard try visit(head) else { return }
      unsafe entry = try cursor.next()
    }
    let expected = try forest.count(IndexCatalog.messageCreated.tree)
    guard visited == expected else {
      throw RecordError("messages", "", "there are \(visited) where the indexes have \(expected)")
    }
  }

  /// Calls `visit` with every entry of the database of bodies, beginning at a key, until `visit` returns false. For the
  /// bytes see `scanMessages`.
  @safe package func scanBodies(
    from start: BodyKey = BodyKey(message: MessageKey(conversation: 0, sequence: 0), part: 0, piece: 0),
    _ visit: (BodyKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var cursor = try tables.cursor(.bodies)
    var entry = unsafe try cursor.seek(start.bytes)
    while let (key, value) = unsafe entry {
      let parsed = try decoding("bodies", "?") { () throws(CodingError) in unsafe try BodyKey(key) }
      guard unsafe try visit(parsed, value) else { return }
      unsafe entry = try cursor.next()
    }
  }

  /// Calls `visit` with every entry of the database of objects, beginning at a key, until `visit` returns false. For the
  /// bytes see `scanMessages`.
  @safe package func scanObjects(
    from start: ObjectKey = .header, _ visit: (ObjectKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var cursor = try tables.cursor(.objects)
    var entry = unsafe try cursor.seek(start.bytes)
    while let (key, value) = unsafe entry {
      let parsed = try decoding("objects", "?") { () throws(CodingError) in unsafe try ObjectKey(key) }
      guard unsafe try visit(parsed, value) else { return }
      unsafe entry = try cursor.next()
    }
  }
}
