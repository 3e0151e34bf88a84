import CLMDBFloor

extension LMDBEngine {
  /// The latest messages of a conversation.
  public func latest(_ conversation: ConversationKey, limit: Int) throws -> [MessageValues] {
    try reader.read { transaction in
      try reader.withCursor(place, transaction) { cursor in
        var messages: [MessageValues] = []
        messages.reserveCapacity(limit)
        // Behind the last entry of the conversation.
        var end = UInt32(conversation.row + 1).bigEndian
        var key = MDB_val()
        var value = MDB_val()
        var code = withUnsafeMutableBytes(of: &end) { bytes in
          key = MDB_val(mv_size: 4, mv_data: bytes.baseAddress)
          return mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
        }
        code = mdb_cursor_get(cursor, &key, &value, code == MDB_SUCCESS ? MDB_PREV : MDB_LAST)
        let row = UInt32(conversation.row).bigEndian
        while code == MDB_SUCCESS, messages.count < limit, key.bytes.loadUnaligned(as: UInt32.self) == row {
          let sequence = key.bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)
          let record = try record(row, sequence, transaction)
          messages.append(FlatRecord.decode(record.bytes, conversation: conversation.identifier))
          code = mdb_cursor_get(cursor, &key, &value, MDB_PREV)
        }
        return messages
      }
    }
  }

  /// The record of a key whose numbers are in the order of the file.
  private func record(_ row: UInt32, _ sequence: UInt64, _ transaction: OpaquePointer) throws -> MDB_val {
    var key = (row, UInt32(truncatingIfNeeded: sequence), UInt32(truncatingIfNeeded: sequence >> 32))
    return try withUnsafeMutableBytes(of: &key) { bytes in
      var keyValue = MDB_val(mv_size: 12, mv_data: bytes.baseAddress)
      var value = MDB_val()
      try check(mdb_get(transaction, records, &keyValue, &value))
      return value
    }
  }

  /// How many messages there are.
  public func messageCount() throws -> Int {
    try reader.read { transaction in
      var statistics = MDB_stat()
      try check(mdb_stat(transaction, records, &statistics))
      return statistics.ms_entries
    }
  }

  /// The identifiers of all visible messages, in the order of creation.
  public func allIdentifiers() throws -> [String] {
    try reader.read { transaction in
      try reader.withCursor(created, transaction) { cursor in
        var identifiers: [String] = []
        var key = MDB_val()
        var value = MDB_val()
        while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
          let row = value.bytes.loadUnaligned(as: UInt32.self)
          let record = try record(row, key.bytes.loadUnaligned(as: UInt64.self), transaction)
          guard record.bytes[FlatRecord.flagsOffset] & FlatRecord.visible != 0 else { continue }
          identifiers.append(FlatRecord.identifier(record.bytes))
        }
        return identifiers
      }
    }
  }

  /// What the times at which visible messages were received add up to, and how many there are.
  public func sumOfReceivedAt() throws -> (count: Int, sum: Int64) {
    try reader.read { transaction in
      try reader.withCursor(records, transaction) { cursor in
        var result = (count: 0, sum: Int64(0))
        var key = MDB_val()
        var value = MDB_val()
        while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
          let bytes = value.bytes
          guard bytes[FlatRecord.flagsOffset] & FlatRecord.visible != 0 else { continue }
          let receivedAt = bytes.loadUnaligned(fromByteOffset: FlatRecord.receivedAtOffset, as: Int64.self)
          result.count += 1
          if receivedAt != .min { result.sum &+= receivedAt }
        }
        return result
      }
    }
  }
}
