import Dispatch
import LMDB
import SatchelCare
import SatchelModel
import SatchelReading
import SatchelStorage
import SatchelWriting
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

/// Makes an empty file.
func createFile(_ path: String) throws {
  let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
  guard file >= 0, close(file) == 0 else { throw Failure(description: "no file \(path)") }
}

/// A directory that is gone at the end of the tests: not before, because a test's store may outlive its last use, and
/// the file system would give another test's file the same number.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var name = Array(
      "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/satchel-storage-XXXXXX".utf8CString)
    path = try name.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let made = mkdtemp(base) else {
        throw Failure(description: "no temporary directory")
      }
      return String(cString: made)
    }
    Self.cleaning
    Self.made.withLock { $0.append(path) }
  }

  private static let made = Mutex<[String]>([])
  private static let cleaning: Void = {
    atexit { for path in TemporaryDirectory.made.withLock({ $0 }) { TemporaryDirectory.remove(path) } }
  }()

  static func remove(_ path: String) {
    if let directory = opendir(path) {
      var names: [String] = []
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
      }
      closedir(directory)
      for name in names { remove(path + "/" + name) }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  /// Copies the file of a store as it is now.
  static func copyStore(_ source: String, to destination: String) throws {
    mkdir(destination, 0o700)
    guard let input = fopen(source + "/data.mdb", "r"), let output = fopen(destination + "/data.mdb", "w")
    else {
      throw Failure(description: "cannot copy \(source)")
    }
    defer {
      fclose(input)
      fclose(output)
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, input)
      if count == 0 { break }
      guard fwrite(buffer, 1, count, output) == count else {
        throw Failure(description: "cannot write the copy")
      }
    }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// A store without sync, with a clock that ticks once a question.
/// - Parameters:
///   - journaled: False if the test looks at LMDB, or changes it, behind the store's back.
///   - change: Changes the options.
func openStore(
  _ directory: String, user: String? = "me", create: Bool = true, journaled: Bool = true,
  _ change: (inout Store.Options) -> Void = { _ in }
) throws -> Store {
  var options = Store.Options()
  options.create = create
  options.durability = .temporaryImport
  // Commits go to the journal, and on from there every few of them.
  options.journal.use = journaled ? .always : .never
  options.journal.commitsBefore = 0
  options.journal.mostCommits = 7
  let clock = Mutex<Int64>(1_000_000)
  let random = Mutex(SeededGenerator(seed: UInt64.random(in: 0 ... .max)))
  options.writerEnvironment = WriterEnvironment(
    clock: {
      Timestamp(
        microseconds: clock.withLock {
          $0 += 1
          return $0
        })
    }, random: { random.withLock { $0.next() } })
  change(&options)
  return try Store.open(directory: directory, user: user, options: options)
}

/// Fails with the first faults of a store that is not sound.
func expectSound(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let report = try store.read { try Verifier.verify($0) }
  #expect(
    report.isSound, "\(report.faultCount) faults: \(report.faults.prefix(8))", sourceLocation: sourceLocation)
  #expect(report.records > 0, sourceLocation: sourceLocation)
}

/// The code of the error that a body throws.
func code(_ body: () throws -> Void) -> SatchelError.Code? {
  do {
    try body()
    return nil
  } catch let error as SatchelError {
    return error.code
  } catch {
    return SatchelError.Code(rawValue: "\(error)")
  }
}

/// Work on another thread, beside the test's own.
final class OtherThread: Sendable {
  private let group = DispatchGroup()
  private let outcome = Mutex<Result<Void, any Error>>(.success(()))

  /// Starts the work and returns when it runs.
  func start(_ body: @escaping @Sendable () throws -> Void) {
    let running = DispatchSemaphore(value: 0)
    // Not a queue that shares its threads with others: these may all be at work.
    DispatchQueue(label: "another thread").async(group: group) { [self] in
      running.signal()
      let result = Result { try body() }
      outcome.withLock { $0 = result }
    }
    running.wait()
  }

  /// Waits for the work and throws what it threw.
  func finish() throws {
    group.wait()
    try outcome.withLock { $0 }.get()
  }
}

/// Runs a body on another thread and waits for it.
func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
  let thread = OtherThread()
  thread.start(body)
  try thread.finish()
}

extension Snapshot {
  /// Returns the content of a part that the user can see, or what is at some offsets of it.
  func content(ofPart index: Int, message: String, range: Range<UInt64>? = nil) throws -> [UInt8] {
    let (part, key) = try part(index, ofMessage: message)
    return try content(of: part, index: index, in: key, range: range ?? 0..<part.length)
  }
}
