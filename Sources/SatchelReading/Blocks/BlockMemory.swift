/// The memory of a block of records: a table of where each one is, then the records, one after another.
///
/// It is safe to use: the memory lives as long as this does, no access leaves it, and what has been appended does not
/// change.
@safe struct BlockMemory: ~Copyable, @unchecked Sendable {
  /// Where a record ends, and the index of its conversation among those of the block.
  private struct Entry {
    var end: UInt32
    var conversation: UInt32
  }

  private let base: UnsafeMutableRawPointer
  private let rows: Int
  private let bytes: Int
  /// The number of records.
  private(set) var count = 0

  /// - Parameters:
  ///   - rows: The most records.
  ///   - bytes: The most bytes of records.
  init(rows: Int, bytes: Int) {
    self.rows = rows
    self.bytes = bytes
    unsafe base = .allocate(byteCount: rows * MemoryLayout<Entry>.stride + bytes, alignment: 8)
  }

  deinit { unsafe base.deallocate() }

  /// Appends a copy of a record, and returns it.
  mutating func append(_ record: UnsafeRawBufferPointer, conversation: Int) -> UnsafeRawBufferPointer {
    let start = end
    precondition(count < rows && record.count <= bytes - start, "the block is full")
    let target = unsafe records + start
    if let source = record.baseAddress { unsafe target.copyMemory(from: source, byteCount: record.count) }
    let entry = Entry(end: UInt32(start + record.count), conversation: UInt32(conversation))
    unsafe entries.advanced(by: count).initialize(to: entry)
    count += 1
    return unsafe UnsafeRawBufferPointer(start: target, count: record.count)
  }

  /// Removes the record that was appended last.
  mutating func removeLast() { count -= 1 }

  /// The record of a row.
  subscript(row: Int) -> UnsafeRawBufferPointer {
    precondition(row >= 0 && row < count, "no such row")
    let start = row == 0 ? 0 : unsafe Int(entries[row - 1].end)
    return unsafe UnsafeRawBufferPointer(start: records + start, count: Int(entries[row].end) - start)
  }

  /// Returns the index of a row's conversation among those of the block.
  func conversation(_ row: Int) -> Int {
    precondition(row >= 0 && row < count, "no such row")
    return unsafe Int(entries[row].conversation)
  }

  private var end: Int { count == 0 ? 0 : unsafe Int(entries[count - 1].end) }

  private var entries: UnsafeMutablePointer<Entry> { unsafe base.assumingMemoryBound(to: Entry.self) }

  private var records: UnsafeMutableRawPointer { unsafe base + rows * MemoryLayout<Entry>.stride }
}
