import SatchelBytes
import SatchelCoding
import SatchelModel
package import SatchelReading
package import TerminalInterface

/// Shows the tables of one snapshot.
package struct Dump: ~Copyable {
  let snapshot: Snapshot
  let names: DumpNames
  /// The key to show; nil to show everything.
  let key: String?
  /// How far the dump has got, in this snapshot and those before it.
  let progress: DumpProgress
  private let limit: Int
  private var writer: DumpWriter

  /// - Parameters:
  ///   - key: What is shown is under this key; nil to show everything.
  ///   - limit: The most records that are shown; nil for all.
  package init(
    _ snapshot: Snapshot, _ format: DumpFormat, key: String?, limit: Int?, _ progress: DumpProgress,
    to stream: OutputStream
  ) {
    self.snapshot = snapshot
    self.key = key
    self.limit = limit ?? .max
    self.progress = progress
    names = DumpNames(snapshot: snapshot)
    writer = DumpWriter(format, to: stream)
  }

  /// Ends the dump.
  /// - Parameter table: The table that was shown; nil if it was an index.
  /// - Throws: `ToolError` if nothing was found under the key.
  package func end(of table: DumpTable?) throws {
    if let key, progress.shown == 0, limit > 0 {
      throw ToolError(
        "there is nothing under the key \"\(key)\""
          + (table == .records
            ? ": the key of a record is its type and its name, such as todo/write, or the numbers that a dump prints, such as 0/5"
            : ""))
    }
  }

  /// Whether the limit allows another record.
  var wantsMore: Bool { progress.shown < limit }

  /// Writes a record, if the limit allows it.
  /// - Parameters:
  ///   - file: The file that has it. It is said where the journal has commits that `data.mdb` does not have.
  ///   - resumeKey: The key after which a later snapshot can go on; nil if none can.
  /// - Returns: False if no more records are wanted.
  mutating func write(
    _ key: String, _ annotation: RecordAnnotation, in file: StoreFile,
    at resumeKey: DumpProgress.ResumeKey? = nil
  ) throws -> Bool {
    guard wantsMore else { return false }
    // Noted before the write: the record counts as shown even if the write ends the snapshot.
    progress.note(key, resumeKey)
    try writer.write(key: key, in: snapshot.hasJournaledCommits ? file : nil, annotation)
    return wantsMore
  }

  /// Shows the records of a table.
  package mutating func show(_ table: DumpTable) throws {
    guard wantsMore else { return }
    switch table {
    case .messages: try showMessages()
    case .bodies: try showBodies()
    case .nodes: try showNodes()
    default: try showObjects(table)
    }
  }

  private mutating func showMessages() throws {
    var start = MessageKey(conversation: 0, sequence: 0)
    var isSingle = false
    if let key {
      guard let found = try messageKey(key) else { return }
      start = found
      isSingle = true
    }
    let passed = progress.message
    if let passed { start = passed }
    try snapshot.scanMessages(from: start) { key, value in
      guard key != passed else { return true }
      guard !isSingle || key == start else { return false }
      let annotation = unsafe Self.annotate(value, key.bytes) { record throws(ByteError) in
        try record.message(names)
      }
      return try write(
        "\(key.conversation)/\(key.sequence)", annotation, in: snapshot.file(of: .messages, key.bytes),
        at: .message(key))
    }
  }

  /// Returns the key that `CONVERSATION/SEQUENCE` spells, or else the key of the message with that identifier.
  private func messageKey(_ text: String) throws -> MessageKey? {
    let numbers = Self.numbers(text)
    if numbers.count == 2, let row = UInt32(exactly: numbers[0]) {
      let key = MessageKey(conversation: row, sequence: numbers[1])
      if Self.exists(try snapshot.message(key)) { return key }
    }
    guard let key = try snapshot.locateMessage(text), !key.isAnnouncement else { return nil }
    return key
  }

  private mutating func showBodies() throws {
    var start = BodyKey(message: MessageKey(conversation: 0, sequence: 0), part: 0, piece: 0)
    var prefix: [UInt64] = []
    if let key {
      prefix = Self.numbers(key)
      guard (1...4).contains(prefix.count) else { return }
      let numbers = prefix + [UInt64](repeating: 0, count: 4 - prefix.count)
      start = BodyKey(
        message: MessageKey(conversation: UInt32(clamping: numbers[0]), sequence: numbers[1]),
        part: UInt16(clamping: numbers[2]), piece: UInt32(clamping: numbers[3]))
    }
    let passed = progress.body
    if let passed { start = passed }
    try snapshot.scanBodies(from: start) { key, value in
      guard key != passed else { return true }
      let words = [
        UInt64(key.message.conversation), key.message.sequence, UInt64(key.part), UInt64(key.piece),
      ]
      guard words.starts(with: prefix) else { return false }
      let annotation = unsafe Self.annotate(value, key.bytes) { record throws(ByteError) in
        try record.data("content", count: record.bytes.count - 8)
      }
      return try write(
        words.map(String.init).joined(separator: "/"), annotation, in: snapshot.file(of: .bodies, key.bytes),
        at: .body(key))
    }
  }

  /// Decodes the bytes of a record, field by field.
  static func annotate(
    _ value: UnsafeRawBufferPointer, _ key: KeyBytes,
    _ body: (inout RecordAnnotation) throws(ByteError) -> Void
  ) -> RecordAnnotation {
    var annotation = unsafe RecordAnnotation([UInt8](value))
    unsafe annotation.annotate(isValid: RecordFrame.hasValidChecksum(value, key: key), body)
    return annotation
  }

  /// Returns whether a record exists. One that cannot be read does.
  static func exists<Record>(_ record: @autoclosure () throws -> Record?) -> Bool {
    do { return try record() != nil } catch { return true }
  }

  /// Returns the numbers of a key such as `7/1042`; empty if the text is no such key.
  static func numbers(_ text: String) -> [UInt64] {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
    return numbers.contains(nil) ? [] : numbers.compactMap { $0 }
  }
}
