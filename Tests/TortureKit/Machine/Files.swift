#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Whole files and trees of them.
package enum Files {
  package static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("read", path) }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(size, 0))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress! + done, size - done, off_t(done))
      }
      guard count > 0 else { throw failure("read", path) }
      done += count
    }
    return bytes
  }

  /// Makes a file of these bytes, in place of one that is there.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("write", path) }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress! + done, bytes.count - done, off_t(done))
      }
      guard count > 0 else { throw failure("write", path) }
      done += count
    }
  }

  package static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package static func makeDirectory(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("create", path) }
  }

  /// The names in a directory; none where there is none.
  package static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }

  /// Copies the durable files of a store to a new directory: all that a backup of a store at rest has to have.
  package static func copyStore(_ source: String, to destination: String) throws {
    try makeDirectory(destination)
    for name in StoreFile.durable where exists(source + "/" + name) {
      try write(read(source + "/" + name), to: destination + "/" + name)
    }
  }

  private static func failure(_ operation: String, _ path: String) -> TortureError {
    TortureError("cannot \(operation) \(path): \(String(cString: strerror(errno)))")
  }
}

/// The files of a store. A further one joins here, and everything that crashes, damages and copies stores knows it.
package enum StoreFile {
  /// What a store is, across the end of all processes.
  package static let durable = ["data.mdb", "journal"]
  package static let head = "journal.head"
  /// What the processes of a machine that is up share; a crash of the machine leaves anything or nothing of it.
  package static let transient = ["lock.mdb", "journal.head", "import.lock"]
}

/// A directory in memory where there is one, removed with everything in it when the value is.
package final class Scratch: Sendable {
  package let path: String

  package init() throws {
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var name = Array("\(base)/satchel-torture-XXXXXX".utf8CString)
    path = try name.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let made = mkdtemp(base) else {
        throw TortureError("no temporary directory")
      }
      return String(cString: made)
    }
  }

  deinit { Files.remove(path) }

  package func callAsFunction(_ name: String) -> String { path + "/" + name }
}
