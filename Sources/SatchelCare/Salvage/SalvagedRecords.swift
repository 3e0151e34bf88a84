internal import LMDB
internal import LMDBPages
internal import RecordStore
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelModel
internal import StoreFiles

/// The records that were found in a damaged file, in a temporary store by key, so that memory stays bounded however
/// many there are. Of several versions of a record it keeps the best.
final class SalvagedRecords {
  private let environment: Environment
  private let records: Database
  /// The sequences of messages and announcements in ascending order, with their conversations.
  private let order: Database
  private var batch: [(key: [UInt8], value: [UInt8], standing: Standing)] = []
  private var batchBytes = 0

  private static let names = ["records", "order"]
  private static let maximumBatchBytes = 8 << 20

  /// Makes the temporary store in an existing directory.
  init(in directory: String) throws {
    environment = try Environment.open(
      directory: directory,
      options: Environment.Options(databases: Self.names, create: true, durability: .temporaryImport))
    records = try environment.database("records")
    order = try environment.database("order")
  }

  func close() { environment.close() }

  /// Whether a key and a value belong together, by the checksum.
  static func isIntact(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    guard let table = unsafe table(of: key), value.count >= RecordFrame.checksumBytes else { return false }
    let end = value.count - RecordFrame.checksumBytes
    // A kind says what a record is; only pieces of contents have no kind.
    guard table == "bodies" || end >= 4 else { return false }
    let span = unsafe value.bytes
    return unsafe Checksum.hash(span.extracting(0..<end), seed: Checksum.hash(key.bytes)) == span.u64(end)
  }

  /// Returns the only table that a key can belong to; nil if there is none.
  static func table(of key: UnsafeRawBufferPointer) -> String? {
    switch key.count {
    case 12: "messages"
    case 18: "bodies"
    default: unsafe (try? ObjectKey(key)) == nil ? nil : "objects"
    }
  }

  /// How good a version of a record is: where it was found.
  enum Standing {
    /// In `data.mdb`.
    case page(PageSalvage.Standing)
    /// In the journal's record of this number, of a commit that `data.mdb` has, as far as anybody knows.
    case earlier(UInt32)
    /// In the journal's record of this number, of a commit that `data.mdb` does not have.
    case later(UInt32)
  }

  /// Adds a version of a record.
  /// - Parameter value: Nil if the record was removed.
  func add(_ key: [UInt8], _ value: [UInt8]?, _ standing: Standing) throws {
    // No record is empty: each has a checksum.
    let value = value ?? []
    batch.append((key, value, standing))
    batchBytes += key.count + value.count + 64
    if batchBytes > Self.maximumBatchBytes { try flush() }
  }

  func flush() throws {
    guard !batch.isEmpty else { return }
    try environment.write { transaction in
      for (key, value, standing) in batch {
        unsafe try withUnsafeTemporaryKey(key) { name throws(LMDBError) in
          let known = unsafe try transaction.get(records, name)
          if let known = unsafe known, unsafe !Self.isBetter(standing, value, than: known, key) { return }
          let record = Self.bytes(of: standing.word) + value
          unsafe try withUnsafeTemporaryKey(record) { value throws(LMDBError) in
            unsafe try transaction.put(records, name, value)
          }
        }
        if let orderKey = Self.orderKey(of: key) {
          unsafe try withUnsafeTemporaryKey(orderKey) { name throws(LMDBError) in
            unsafe try transaction.put(order, name, UnsafeRawBufferPointer(start: nil, count: 0))
          }
        }
      }
    }
    batch.removeAll()
    batchBytes = 0
  }

  /// Whether a version of a record is better than the one that was found before.
  private static func isBetter(
    _ standing: Standing, _ value: [UInt8], than known: UnsafeRawBufferPointer, _ key: [UInt8]
  ) -> Bool {
    let other = unsafe Self.standing(known)
    guard standing.word == other, key == ObjectKey.seal.bytes.array else { return standing.word > other }
    // Each commit writes a seal, which holds the commit's sequence.
    let old = unsafe (try? Seal(UnsafeRawBufferPointer(rebasing: known[8...])))?.commit ?? 0
    return unsafe value.withUnsafeBytes { unsafe (try? Seal($0))?.commit ?? 0 } > old
  }

  /// Returns the key in `order` of a message or announcement; nil for any other key.
  private static func orderKey(of key: [UInt8]) -> [UInt8]? {
    if key.count == 12 { return Array(key[4...]) + Array(key[..<4]) }
    if key.count == 9, key[0] == ObjectKey.Prefix.announcement {
      return Array(key[1...]) + [0xFF, 0xFF, 0xFF, 0xFF]
    }
    return nil
  }

  private static func bytes(of word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
  }

  private static func standing(_ record: UnsafeRawBufferPointer) -> UInt64 {
    record.count >= 8 ? unsafe record.bytes.u64(0) : 0
  }

  /// Whether a version is the last one: found in its tree, or in a commit after it.
  private static func isCertain(_ word: UInt64) -> Bool { word >= Standing.page(.reached).word }

  /// Reads the added records, all of which must have been flushed.
  func read<R>(_ body: (View) throws -> R) throws -> R {
    try environment.read { try body(View(transaction: $0, records: records, order: order)) }
  }

  /// The records, in one read transaction.
  struct View {
    let transaction: ReadTransaction
    fileprivate let records: Database
    fileprivate let order: Database

    /// Returns a record, and whether it was found in its tree, or in the journal after that.
    func record(_ key: KeyBytes) throws -> (bytes: UnsafeRawBufferPointer, isCertain: Bool)? {
      guard let value = unsafe try transaction.get(records, key), value.count > 8 else { return nil }
      return unsafe (
        UnsafeRawBufferPointer(rebasing: value[8...]),
        SalvagedRecords.isCertain(SalvagedRecords.standing(value))
      )
    }

    /// Calls `visit` with the records of objects, beginning at a key, until `visit` returns false. Their bytes are valid
    /// until the read ends: only to read them is unsafe.
    @safe func forEachObject(
      from start: ObjectKey, _ visit: (ObjectKey, UnsafeRawBufferPointer, Bool) throws -> Bool
    ) throws {
      var cursor = try transaction.cursor(records)
      var entry = unsafe try cursor.seek(start.bytes)
      while let (key, value) = unsafe entry {
        if let object = unsafe try? ObjectKey(key), value.count > 8 {
          let isCertain = unsafe SalvagedRecords.isCertain(SalvagedRecords.standing(value))
          guard unsafe try visit(object, UnsafeRawBufferPointer(rebasing: value[8...]), isCertain) else {
            return
          }
        }
        unsafe entry = try cursor.next()
      }
    }

    /// Returns the messages and announcements after a given one, in the order of their creation.
    func messages(after last: MessageKey?, limit: Int) throws -> [MessageKey] {
      var cursor = try transaction.cursor(order)
      var found: [MessageKey] = []
      var start = KeyBytes()
      start.append(last?.sequence ?? 0)
      start.append(last?.conversation ?? 0)
      var entry = unsafe try cursor.seek(start)
      while let (key, _) = unsafe entry, found.count < limit {
        let span = unsafe key.bytes
        if span.byteCount == 12 {
          let next = MessageKey(conversation: span.be32(8), sequence: span.be64(0))
          if next != last { found.append(next) }
        }
        unsafe entry = try cursor.next()
      }
      return found
    }

    /// Returns the keys of the first messages of a conversation, at most `limit`.
    func messages(of conversation: UInt32, limit: Int) throws -> [MessageKey] {
      var cursor = try transaction.cursor(records)
      var found: [MessageKey] = []
      var entry = unsafe try cursor.seek(MessageKey(conversation: conversation, sequence: 0).bytes)
      while let (key, _) = unsafe entry, found.count < limit, unsafe key.bytes.byteCount >= 4,
        unsafe key.bytes.be32(0) == conversation
      {
        if let message = unsafe try? MessageKey(messages: key) { found.append(message) }
        unsafe entry = try cursor.next()
      }
      return found
    }
  }
}

extension SalvagedRecords.Standing {
  /// A number with the same order as the standing.
  fileprivate var word: UInt64 {
    switch self {
    case .page(.free(let transaction)): UInt64(transaction)
    case .page(.stray): 1 << 32
    case .page(.orphan): 2 << 32
    case .earlier(let number): 3 << 32 | UInt64(number)
    case .page(.reached): 4 << 32
    case .later(let number): 5 << 32 | UInt64(number)
    }
  }
}
