import LMDB
import LMDBPages
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that LMDB has written, of a few pages, and one that takes the bytes of whatever image is given.
final class ImageScene: Sendable {
  /// The databases of the files.
  static let databases = ["others", "things"]

  /// A file that LMDB has written.
  struct Original: Sendable {
    let bytes: [UInt8]
    let pageSize: Int
    /// By page the places that a change of it is told from: its beginning, and where its nodes begin.
    let places: [[Int]]

    var pages: Int { bytes.count / pageSize }
  }

  let originals: [Original]
  let path: String
  private let descriptor: Int32
  /// The bytes that the file has. One use at a time.
  private let size = Mutex(0)

  init() throws {
    originals = [try Self.original(Self.fillWithLarge), try Self.original(Self.fillWithSmall)]
    path = FileManager.default.temporaryDirectory.path + "/fuzz-\(UInt64.random(in: 0 ... .max)).mdb"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FuzzTarget.Violation("cannot make \(path): error \(errno)") }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// Calls `body` with a file of these bytes and the same bytes in memory.
  func withFile<R>(
    _ bytes: UnsafeRawBufferPointer, _ body: (_ descriptor: Int32) throws -> R
  ) throws -> R {
    try size.withLock { size in
      guard size <= bytes.count || ftruncate(descriptor, off_t(bytes.count)) == 0,
        pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count
      else { throw FuzzTarget.Violation("cannot write \(path): error \(errno)") }
      size = bytes.count
      return try body(descriptor)
    }
  }

  // MARK: The files

  /// Values of which two fill a page, one that takes pages of its own, and a free list.
  private static func fillWithLarge(_ environment: Environment) throws {
    let (others, things) = (try environment.database("others"), try environment.database("things"))
    try environment.write { transaction in
      for number in 0..<UInt64(8) { try put(transaction, things, number, 1900) }
      try put(transaction, others, 1, 12_000)
    }
    try environment.write { transaction in
      for number in 0..<UInt64(3) { _ = try transaction.delete(things, number: number * 3) }
      // By its length salvage knows the later state.
      try put(transaction, things, 2, 1904)
      try put(transaction, others, 2, 6000)
      _ = try transaction.delete(others, number: 1)
    }
  }

  /// Many entries a page.
  private static func fillWithSmall(_ environment: Environment) throws {
    let (others, things) = (try environment.database("others"), try environment.database("things"))
    try environment.write { transaction in
      for number in 0..<UInt64(60) { try put(transaction, things, number, 100) }
      for number in 0..<UInt64(3) { try put(transaction, others, number, 1) }
    }
  }

  private static func put(
    _ transaction: LMDBWriteTransaction, _ database: Database, _ number: UInt64, _ count: Int
  ) throws {
    let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
    try value.withUnsafeBytes { try transaction.put(database, number: number, $0) }
  }

  private static func original(_ fill: (Environment) throws -> Void) throws -> Original {
    let directory =
      FileManager.default.temporaryDirectory.path + "/fuzz-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let environment = try Environment.open(
      directory: directory,
      options: Environment.Options(
        databases: databases, create: true, durability: .temporaryImport, initialMapSize: 1 << 20))
    do {
      defer { environment.close() }
      try fill(environment)
    }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory + "/data.mdb")))
    let pageSize = try bytes.withUnsafeBytes { bytes throws -> Int in
      guard bytes.count > 152 else { throw FuzzTarget.Violation("LMDB has written no pages") }
      return Int(bytes.loadUnaligned(fromByteOffset: 40, as: UInt32.self))
    }
    return Original(
      bytes: bytes, pageSize: pageSize,
      places: (0..<bytes.count / pageSize).map { places(bytes, of: $0, pageSize) })
  }

  private static func places(_ bytes: [UInt8], of number: Int, _ size: Int) -> [Int] {
    let first = number * size
    let nodes: [Int]? = bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let page = try? CheckedPage(
          in: start, size: size, number: UInt64(number), limit: UInt64(bytes.count / size))
      else { return nil }
      return (0..<page.count).compactMap { try? page.node($0).offset }
    }
    return [first] + (nodes ?? []).map { first + $0 }
  }
}

/// The input of the target of whole files: which of LMDB's files it is (1 byte), how many pages are cut off its end (1), and
/// changes of it. A change is the number of a page (1), of a place in it (1), an offset from there (1), the number of bytes
/// (1) and these.
enum ImageInput {
  static let maximumBytes = 512

  /// Calls `body` with the bytes of the file that the input says, in memory of exactly their length; nil for too short an input.
  static func withFile<R>(
    _ input: UnsafeRawBufferPointer, _ originals: [ImageScene.Original],
    _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    guard input.count >= 2 else { return nil }
    let original = originals[Int(input[0]) % originals.count]
    let count = (original.pages - Int(input[1]) % original.pages) * original.pageSize
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { bytes.deallocate() }
    original.bytes.withUnsafeBytes { bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    var offset = 2
    while input.count - offset > 4 {
      let places = original.places[Int(input[offset]) % original.pages]
      let start = places[Int(input[offset + 1]) % places.count] + Int(input[offset + 2])
      let change = input[(offset + 4)...].prefix(Int(input[offset + 3]))
      for (index, byte) in change.enumerated() where start + index < count { bytes[start + index] = byte }
      offset += 4 + change.count
    }
    return try body(UnsafeRawBufferPointer(bytes))
  }

  /// Inputs that change nothing, each at another place: what a search for inputs that do begins with.
  static func seeds(_ originals: [ImageScene.Original]) -> [[UInt8]] {
    originals.indices.flatMap { number -> [[UInt8]] in
      let original = originals[number]
      func change(_ page: Int, _ place: Int, _ count: Int) -> [UInt8] {
        let start = original.places[page][place]
        return [UInt8(number), 0, UInt8(page), UInt8(place), 0, UInt8(count)]
          + original.bytes[start...].prefix(count)
      }
      return [[UInt8(number), 0], [UInt8(number), 1]]
        + (0..<original.pages).flatMap { page -> [[UInt8]] in
          let nodes = original.places[page].indices.dropFirst().prefix(3)
          return [change(page, 0, page < 2 ? 152 : 24)] + nodes.map { change(page, $0, 64) }
        }
    }
  }
}
