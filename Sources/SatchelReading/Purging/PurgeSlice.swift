package import SatchelCoding

/// What one transaction removes of the purge queue, as keys: nothing changes before all of it is known.
package struct PurgeSlice {
  /// An entry of the queue, with the checksum of its record.
  package typealias Queued = (key: MessageKey, entry: PurgeEntry, checksum: UInt64)

  /// How many more records it may change.
  package private(set) var room: Int
  package private(set) var removed: [(table: Seal.Table, key: KeyBytes, checksum: UInt64)] = []
  /// The pieces among them: a message and its conversation may both be in the queue.
  private var pieces: Set<KeyBytes> = []
  /// The entries of which something is left.
  package private(set) var shortened: [Queued] = []

  package init(room: Int) { self.room = room }

  /// Takes records of an entry, and with the last of them the entry.
  package mutating func take(_ queued: Queued, _ snapshot: Snapshot) throws {
    room -= 1
    var entry = queued.entry
    let isDone =
      queued.key.sequence == MessageKey.wholeConversation
      ? try takeConversation(queued.key.conversation, &entry, snapshot)
      : try takeContents(of: queued.key, snapshot)
    if isDone {
      removed.append((.purge, ObjectKey.purge(queued.key).bytes, queued.checksum))
    } else {
      shortened.append((queued.key, entry, queued.checksum))
    }
  }

  /// Takes the messages of a conversation, each after its contents. Returns whether no more are left.
  private mutating func takeConversation(
    _ row: UInt32, _ entry: inout PurgeEntry, _ snapshot: Snapshot
  ) throws -> Bool {
    let limit = room
    let start = MessageKey(conversation: row, sequence: entry.nextSequence)
    let bodies = try bodies(from: start, snapshot) { $0.conversation == row }
    var messages: [(key: MessageKey, checksum: UInt64)] = []
    try snapshot.scanMessages(from: start) { key, value in
      guard key.conversation == row, messages.count < limit else { return false }
      messages.append((key, unsafe RecordFrame.storedChecksum(value)))
      return true
    }
    var next = 0
    for (key, checksum) in messages {
      while room > 0, next < bodies.count, bodies[next].key.message.sequence <= key.sequence {
        take(bodies[next])
        next += 1
      }
      guard room > 0 else { return false }
      removed.append((.messages, key.bytes, checksum))
      room -= 1
      entry.nextSequence = key.sequence + 1
      entry.remaining -= min(1, entry.remaining)
    }
    while room > 0, next < bodies.count {
      take(bodies[next])
      next += 1
    }
    return next == bodies.count && bodies.count < limit && messages.count < limit
  }

  /// Takes the contents of a message. Returns whether no more are left.
  private mutating func takeContents(of message: MessageKey, _ snapshot: Snapshot) throws -> Bool {
    let limit = room
    let bodies = try bodies(from: message, snapshot) { $0 == message }
    for body in bodies { take(body) }
    return bodies.count < limit
  }

  private mutating func take(_ body: (key: BodyKey, checksum: UInt64)) {
    pieces.insert(body.key.bytes)
    removed.append((.bodies, body.key.bytes, body.checksum))
    room -= 1
  }

  /// Returns the pieces of contents from those of a message on that are not taken yet, as long as a condition holds and there is
  /// room.
  private func bodies(
    from message: MessageKey, _ snapshot: Snapshot, while belongs: (MessageKey) -> Bool
  ) throws -> [(key: BodyKey, checksum: UInt64)] {
    var bodies: [(key: BodyKey, checksum: UInt64)] = []
    try snapshot.scanBodies(from: BodyKey(message: message, part: 0, piece: 0)) { key, value in
      guard belongs(key.message), bodies.count < room else { return false }
      if !pieces.contains(key.bytes) { bodies.append((key, unsafe RecordFrame.storedChecksum(value))) }
      return true
    }
    return bodies
  }
}
