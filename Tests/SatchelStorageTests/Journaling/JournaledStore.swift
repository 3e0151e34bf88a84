import LMDB
import SatchelModel
import SatchelStorage
import StoreModel
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A store whose commits go to the journal from the first one on, with what it has to hold.
struct JournaledStore {
  let directory: TemporaryDirectory
  private(set) var store: Store
  let operations: SharedOperations
  private let options: Store.Options

  /// - Parameter change: Changes the options, which are those of a durable store with a short journal.
  init(seed: UInt64, _ change: (inout Store.Options) -> Void = { _ in }) throws {
    directory = try TemporaryDirectory()
    operations = SharedOperations(RandomOperations(seed: seed))
    var options = Store.Options()
    options.journal.commitsBefore = 0
    options.journal.limits.segmentSize = 16 << 10
    // Which commits there are is to depend on the test alone.
    options.purgePause = nil
    change(&options)
    self.options = options
    store = try Store.open(directory: directory.path + "/store", user: "me", options: options)
  }

  var path: String { directory.path + "/store" }

  /// Makes transactions of some random operations each.
  func write(_ transactions: Int, steps: ClosedRange<Int> = 1...5) throws {
    for _ in 0..<transactions {
      try operations.withLock { operations in
        let count = steps.lowerBound + operations.generator.draw(below: steps.count)
        try store.write { writer in for _ in 0..<count { try operations.step(writer) } }
      }
    }
  }

  /// The number of LMDB's last transaction: it stays the same while commits go to the journal.
  var databaseCommits: UInt64 { get throws { try store.environment.info.lastTransaction } }

  /// The bytes of the journal's file.
  var journalSize: Int {
    var status = stat()
    return stat(path + "/journal", &status) == 0 ? Int(status.st_size) : -1
  }

  /// Expects that a store holds what the operations have made.
  func expectHolds(_ other: Store? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let model = try operations.withLock { $0.model }
    let difference = try (other ?? store).read { try model.difference($0) }
    #expect(difference == nil, sourceLocation: sourceLocation)
    try expectSound(other ?? store, sourceLocation: sourceLocation)
  }

  /// Closes the store and opens it again.
  mutating func reopen(_ change: (inout Store.Options) -> Void = { _ in }) throws {
    store.close()
    var options = options
    change(&options)
    store = try Store.open(directory: path, user: "me", options: options)
  }

  /// Opens what a process that ended now would leave.
  func left(name: String, readOnly: Bool = false, files: [String] = ["data.mdb", "journal"]) throws -> Store {
    let copy = directory.path + "/" + name
    try Self.copy(files, from: path, to: copy)
    var options = options
    options.readOnly = readOnly
    options.create = false
    return try Store.open(directory: copy, user: nil, options: options)
  }

  static func copy(_ files: [String], from source: String, to destination: String) throws {
    mkdir(destination, 0o700)
    for file in files {
      let bytes = try readFile(source + "/" + file)
      try writeFile(bytes, to: destination + "/" + file)
    }
  }

  static func writeFile(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    chmod(path, 0o600)
  }

  /// Changes some bytes of a file in place.
  static func write(_ bytes: ArraySlice<UInt8>, to path: String, at offset: Int) throws {
    let descriptor = open(path, O_WRONLY)
    try #require(descriptor >= 0, "\(path)")
    defer { close(descriptor) }
    let bytes = Array(bytes)
    try #require(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
  }

  static func readFile(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    try #require(descriptor >= 0, "\(path)")
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &block, block.count), count > 0 { bytes += block[..<count] }
    return bytes
  }
}

/// Random operations that several threads may make, one after another.
final class SharedOperations: Sendable {
  private let operations: Mutex<RandomOperations>

  init(_ operations: RandomOperations) { self.operations = Mutex(operations) }

  func withLock<R: Sendable>(_ body: (inout RandomOperations) throws -> sending R) throws -> R {
    try operations.withLock { operations in try body(&operations) }
  }
}
