package import LMDB
package import StoreFiles
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An empty directory of one test. It is removed, with everything in it, when the process ends: a test's last mention
/// of it comes before its environment closes.
package struct Scratch: Sendable {
  package let path: String

  package init() {
    var template = Array("/tmp/lmdb-tests-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
    precondition(!path.isEmpty, "no scratch directory")
    _ = Self.handler
    Self.paths.withLock { $0.append(path) }
  }

  /// The scratch directory of another process, which removes it.
  package init(at path: String) { self.path = path }

  private static let paths = Mutex<[String]>([])
  private static let handler = atexit { Scratch.removeAll() }

  private static func removeAll() {
    for path in paths.withLock({ $0 }) { remove(path) }
  }

  /// The path of a store in it.
  package var store: String { "\(path)/store" }
  package var data: String { "\(store)/data.mdb" }

  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { remove("\(path)/\(name)") }
    }
    closedir(directory)
    rmdir(path)
  }
}

/// The bytes of a whole file.
package func contents(of path: String) -> [UInt8] {
  let file = open(path, O_RDONLY)
  precondition(file >= 0, "cannot read \(path)")
  defer { close(file) }
  var status = stat()
  fstat(file, &status)
  var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
  let count = read(file, &bytes, bytes.count)
  precondition(count == bytes.count)
  return bytes
}

/// Makes a file of these bytes.
package func write(_ bytes: [UInt8], to path: String) {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  precondition(file >= 0, "cannot write \(path)")
  defer { close(file) }
  precondition(write(file, bytes, bytes.count) == bytes.count)
}

/// Damages the leaf page that holds some bytes: it says then that it is none. Says whether there is just one.
package func damageLeaf(of path: String, with text: String) -> Bool {
  var bytes = contents(of: path)
  let leaves = stride(from: 2 * 4096, to: bytes.count, by: 4096).filter { page in
    bytes[page + 10] & 2 != 0 && bytes[page..<page + 4096].contains(Array(text.utf8))
  }
  guard let page = leaves.first, leaves.count == 1 else { return false }
  bytes[page + 10] = 0x40
  write(bytes, to: path)
  return true
}

/// A store with one database, "t".
package func makeStore(_ scratch: Scratch, _ change: (inout Environment.Options) -> Void = { _ in })
  throws
  -> (Environment, Database)
{
  var options = Environment.Options(databases: ["t"], create: true)
  change(&options)
  let environment = try Environment.open(directory: scratch.store, options: options)
  return (environment, try environment.database("t"))
}

extension Environment {
  /// Opens an existing store with the database "t" and expects a refusal with this code.
  package static func refusal(
    of directory: String, _ options: Options = Options(databases: ["t"])
  ) -> LMDBError? {
    do {
      try open(directory: directory, options: options).close()
      return nil
    } catch {
      return error
    }
  }
}

extension Environment {
  /// Does the same as `write`, on the store's own writer thread.
  package func writeOnWriterThread<R: Sendable>(
    _ body: @escaping @Sendable (LMDBWriteTransaction) throws -> R
  ) async throws -> R {
    try await runOnWriterThread(for: nil) { [self] _, deadline in
      try beginningWrite(isDeferred: false, until: deadline) { access in
        let result = try working(access, body)
        try access.commit()
        return result
      }
    }
  }
}

extension LMDBWriteTransaction {
  package func put(_ database: Database, _ key: String, _ value: String) throws {
    try put(database, Array(key.utf8), Array(value.utf8))
  }

  package func put(_ database: Database, _ key: [UInt8], _ value: [UInt8]) throws {
    try key.withUnsafeBytes { key in
      try value.withUnsafeBytes { value in try put(database, key, value) }
    }
  }

  package func delete(_ database: Database, _ key: String) throws -> Bool {
    try Array(key.utf8).withUnsafeBytes { key in try delete(database, key) }
  }
}

extension ReadTransaction {
  package func get(_ database: Database, _ key: String) throws -> String? {
    try Array(key.utf8).withUnsafeBytes { key in
      try get(database, key).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

/// The code of the error that the body throws, or nil when it throws none of this layer.
package func code(_ body: () throws -> Void) -> LMDBError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? LMDBError)?.code
  }
}
