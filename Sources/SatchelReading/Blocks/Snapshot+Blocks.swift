internal import RecordStore
internal import SatchelBytes
package import SatchelCoding
package import SatchelModel

/// Where a record is in the file's map, or among what is not there yet. Valid as long as the snapshot is: only to read
/// the bytes is unsafe.
@safe struct RecordPlace {
  let key: MessageKey
  let bytes: UnsafeRawBufferPointer
}

extension Snapshot {
  /// The size up to which records are read into one block, in bytes, and their greatest number.
  private static var blockBytes: Int { 64 << 10 }
  private static var blockRows: Int { 512 }
  /// The size of contents beside the records after which a block ends, in bytes.
  private static var blockContentBytes: Int { 1 << 20 }

  /// Calls `give` with each message that an index refers to, in the given order. Messages that follow one another share
  /// the memory of a block.
  /// - Parameters:
  ///   - along: What comes with the messages.
  ///   - key: Returns the key of the message at an index below `count`.
  /// - Throws: The error of the first damaged record, before `give` is called with a message of its block.
  package func makeMessages(
    _ count: Int, _ along: Accompaniment, _ key: (Int) -> MessageKey, give: (Message) throws -> Void
  ) throws {
    // Numbers that the current transaction has added must not be in a table that others can see.
    guard pending == nil else {
      for index in 0..<count {
        let key = key(index)
        try give(
          makeMessage(conversation: key.conversation, sequence: key.sequence, along))
      }
      return
    }
    var next = 0
    while next < count {
      let block = unsafe try withUnsafeTemporaryAllocation(
        of: RecordPlace.self, capacity: min(count - next, Self.blockRows)
      ) { places in
        var found = 0
        var bytes = 0
        while found < places.count {
          let key = key(next + found)
          let record = unsafe try existingRecord(key)
          bytes += record.count
          if found > 0, bytes > Self.blockBytes { break }
          unsafe places.initializeElement(at: found, to: RecordPlace(key: key, bytes: record))
          found += 1
        }
        return unsafe try makeBlock(UnsafeBufferPointer(rebasing: places[..<found]), along)
      }
      for row in 0..<block.count { try give(Message(Envelope(block, row: row))) }
      next += block.count
    }
  }

  /// Returns the properties of a message or announcement.
  func envelope(_ view: MessageView, _ along: Accompaniment) throws -> Envelope {
    guard pending == nil else { return try valuesOfEnvelope(view, along) }
    let place = unsafe RecordPlace(key: view.key, bytes: view.record)
    let block = unsafe try withUnsafePointer(to: place) { pointer in
      unsafe try makeBlock(UnsafeBufferPointer(start: pointer, count: 1), along)
    }
    return Envelope(block, row: 0)
  }

  /// Copies records into a block and checks the copies wholly, so that no property of the messages can fail later.
  ///
  /// The block has the first record, and as many of the others as the same tables of texts have the names of: a table
  /// that has outgrown its limit is replaced while records are read. It ends early behind large contents, too, so that
  /// whoever keeps one of its messages does not keep much.
  private func makeBlock(
    _ places: UnsafeBufferPointer<RecordPlace>, _ along: Accompaniment
  ) throws -> RecordBlock {
    var bytes = 0
    for row in places.indices { unsafe bytes += places[row].bytes.count }
    var memory = BlockMemory(rows: places.count, bytes: bytes)
    var tables = namesTables()
    var conversations = BlockConversations()
    var contents = BlockContents()
    var conversation: UInt32?
    for row in places.indices {
      let place = unsafe places[row]
      let key = place.key
      if key.conversation != conversation {
        conversation = key.conversation
        conversations.append(
          key.isAnnouncement ? nil : Conversation.ID(try conversationIdentifier(key.conversation)))
      }
      let copy = unsafe memory.append(place.bytes, conversation: conversations.count - 1)
      var needs = MessageNeeds()
      let view: MessageView
      do { view = unsafe try MessageView(copy, key: key, noting: &needs) } catch {
        throw fault(of: key, error.description)
      }
      if let damage = needs.damagedText { throw fault(of: key, damage) }
      if needs.hasStoredParts { try readContents(of: view, row, along.contents, into: &contents) }
      if try !knowsNames(in: view, needs, tables) {
        let filled = try fillTables(for: view)
        if row > 0, filled.users !== tables.users || filled.types !== tables.types {
          memory.removeLast()
          contents.remove(last: row)
          break
        }
        tables = filled
      }
      if contents.bytes > Self.blockContentBytes { break }
    }
    // Not before: what comes along has texts of its own, which may replace the snapshot's tables.
    var included: BlockInclusions?
    if let reader = along.included { included = unsafe try inclusions(of: memory, places, reader) }
    return RecordBlock(
      memory, tables: tables, conversations: conversations, contents: contents, included: included)
  }

  /// Reads the objects that come with the messages of a block.
  private func inclusions(
    of memory: borrowing BlockMemory, _ places: UnsafeBufferPointer<RecordPlace>, _ reader: InclusionReader
  ) throws -> BlockInclusions {
    var included = BlockInclusions(reader.inclusions)
    for row in 0..<memory.count {
      let sender = unsafe MessageHead(checked: memory[row]).sender
      try included.add(sender: sender, of: unsafe places[row].key, memory.conversation(row), reader)
      if reader.readsResponses {
        try included.add(responsesTo: unsafe MessageView(checked: memory[row]), reader)
      }
    }
    return included
  }

  /// Reads the contents that come with a message and are stored outside its record, or of its first text the preview.
  private func readContents(
    of view: MessageView, _ row: Int, _ selection: ContentSelection, into contents: inout BlockContents
  ) throws {
    let leadingText = view.leadingText?.index
    try forEachPart(of: view) { part, index in
      guard part.isStored else { return }
      guard selection.holds(part, isLeadingText: index == leadingText) else {
        if index == leadingText {
          try withPreview(of: part, index: index, view) { unsafe contents.append(preview: $0, of: row) }
        }
        return
      }
      let bytes = try content(of: part, index: index, in: view.key)
      let isUTF8 = unsafe bytes.withUnsafeBytes { unsafe $0.isUTF8 }
      guard isUTF8 || part.kind == .data else {
        throw fault(of: view.key, "the text of part \(index) is not UTF-8")
      }
      contents[row, index] = bytes
    }
  }

  /// Returns whether the tables have the texts of all numbers in a record.
  @inline(__always)
  private func knowsNames(in view: MessageView, _ needs: MessageNeeds, _ tables: TextTables) throws -> Bool {
    guard knows(user: view.sender, tables), knowsRecipients(of: view, tables) else { return false }
    if !needs.hasOtherTypes, needs.types & ~names.types == 0 { return true }
    var knowsAll = true
    view.forEachPart { if !knows(type: $0.mimeType, tables) { knowsAll = false } }
    return knowsAll
  }
}
