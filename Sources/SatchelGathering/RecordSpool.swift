internal import CommitEngine
internal import RankedIndex
package import RecordStore
package import SatchelCoding
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Records of a new store, in the order of their arrival, in a file of their own until they go to LMDB in the order of their
/// keys.
///
/// The messages of a file are mixed, and LMDB's pages are clustered by conversation. In the order of arrival each message
/// would change another page; in the order of their keys, records fill one page after another, each of which is written once.
///
/// The file has no name: it ends with the process. In it, each record follows its key.
@safe package final class RecordSpool {
  /// Where a record lies. Keys of one conversation ascend in the order of arrival.
  package struct Entry {
    let offset: UInt64
    let length: UInt32
    let conversation: UInt32
  }

  private let file: Int32
  private let path: String
  /// The last bytes, which are not in the file yet.
  private var buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: RecordSpool.bufferBytes, alignment: 8)
  private var filled = 0
  private var fileBytes: UInt64 = 0
  private(set) var messages: [Entry] = []
  private(set) var bodies: [Entry] = []

  private static let bufferBytes = 1 << 20
  /// The room that the words of a key take until the record overwrites what is behind the key.
  private static let keyRoom = 24

  /// Makes the file at a path where there is none, and takes its name away.
  package init(at path: String) throws {
    self.path = path
    file = try OwnFile.create(path)
    try Directories.removeFile(path)
  }

  deinit {
    close(file)
    unsafe buffer.deallocate()
  }

  package func put(_ database: RecordDatabase, _ key: KeyBytes, _ record: [UInt8]) throws {
    unsafe try reserve(database, key, count: record.count).copyBytes(from: record)
  }

  /// Makes room for a record and returns its memory, which the caller fills before anything else.
  package func reserve(_ database: RecordDatabase, _ key: KeyBytes, count: Int) throws
    -> UnsafeMutableRawBufferPointer
  {
    let room = key.count + count
    if unsafe filled + room + Self.keyRoom > buffer.count { try makeRoom(room + Self.keyRoom) }
    let entry = Entry(
      offset: fileBytes + UInt64(filled), length: UInt32(count),
      conversation: UInt32(truncatingIfNeeded: key.bigEndianWords.0 >> 32))
    switch database {
    case .messages: messages.append(entry)
    case .bodies: bodies.append(entry)
    case .objects: preconditionFailure("only records of messages and their contents are spooled")
    }
    let words = key.bigEndianWords
    unsafe buffer.storeBytes(of: words.0.bigEndian, toByteOffset: filled, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.1.bigEndian, toByteOffset: filled + 8, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.2.bigEndian, toByteOffset: filled + 16, as: UInt64.self)
    filled += room
    return unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled - count..<filled])
  }

  /// Calls `body` with the bytes of a message's record.
  package func withMessage<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    let entry = messages[index]
    let start = entry.offset + UInt64(Self.keyBytes(.messages))
    if start >= fileBytes {
      let offset = Int(start - fileBytes)
      return try unsafe body(
        UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + Int(entry.length)]))
    }
    var bytes = [UInt8](repeating: 0, count: Int(entry.length))
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(file, $0.baseAddress, $0.count, off_t(start))
    }
    guard count == bytes.count else { throw Directories.failure("read", path) }
    return try unsafe bytes.withUnsafeBytes { try unsafe body($0) }
  }

  /// Calls `body` with a function that gives the key and the record of an entry, all of which are in the file then.
  package func withRecords<R>(
    of database: RecordDatabase,
    _ body: (_ record: (Entry) -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)) throws -> R
  ) throws -> R {
    try flush()
    let keyBytes = Self.keyBytes(database)
    guard fileBytes > 0, let base = unsafe mmap(nil, Int(fileBytes), PROT_READ, MAP_SHARED, file, 0),
      unsafe base != MAP_FAILED
    else { throw Directories.failure("map", path) }
    defer { unsafe munmap(base, Int(fileBytes)) }
    let map = unsafe UnsafeRawBufferPointer(start: base, count: Int(fileBytes))
    return try unsafe body { entry in
      let start = Int(entry.offset)
      let value = start + keyBytes
      return unsafe (
        UnsafeRawBufferPointer(rebasing: map[start..<value]),
        UnsafeRawBufferPointer(rebasing: map[value..<value + Int(entry.length)])
      )
    }
  }

  /// Returns the entries of a database in the order of their keys.
  package func sorted(_ database: RecordDatabase) -> [Entry] {
    let entries = database == .messages ? messages : bodies
    return RadixOrder.indices(of: entries.map { UInt64($0.conversation) }).map { entries[Int($0)] }
  }

  /// Forgets all records.
  func removeAll() throws {
    guard ftruncate(file, 0) == 0 else { throw Directories.failure("empty", path) }
    filled = 0
    fileBytes = 0
    messages.removeAll(keepingCapacity: true)
    bodies.removeAll(keepingCapacity: true)
  }

  private func makeRoom(_ count: Int) throws {
    try flush()
    guard unsafe count > buffer.count else { return }
    unsafe buffer.deallocate()
    unsafe buffer = .allocate(byteCount: count, alignment: 8)
  }

  private func flush() throws {
    var written = 0
    while written < filled {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written..<filled])
      let count = unsafe pwrite(file, rest.baseAddress, rest.count, off_t(fileBytes) + off_t(written))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Directories.failure("write", path) }
      written += count
    }
    fileBytes += UInt64(filled)
    filled = 0
  }

  private static func keyBytes(_ database: RecordDatabase) -> Int {
    database == .messages ? 12 : 18
  }
}
