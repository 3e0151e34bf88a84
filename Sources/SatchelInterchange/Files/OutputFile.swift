import SatchelModel
import StoreFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is written as a whole: first beside its path, under a name that nobody can guess. It is moved to its
/// path when it is complete and on the disk.
///
/// Whoever writes one holds a lock on it. What a killed program has left has none, and is removed by the next one that writes
/// the file.
package enum OutputFile {
  /// Calls `body` with a descriptor for the file.
  /// - Throws: `FileFailure`, or what `body` throws; then the file is as it was before.
  package static func write<Result>(to path: String, _ body: (Int32) throws -> Result) throws -> Result {
    // If the path names a device or a pipe, also by a link, that is written directly.
    var status = stat()
    guard unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      let device = try openDevice(path, status)
      defer { close(device) }
      return try fill(device, path, body)
    }
    guard !StoreFiles.isFileOfStore(path) else {
      throw FileFailure(
        .write, path, .invalidValue, "it is a file of a store, which would be lost; name another file")
    }
    let (descriptor, temporary) = try makeTemporary(beside: path)
    // Closed last: without the lock somebody else would remove the file.
    defer { close(descriptor) }
    let result: Result
    do {
      result = try fill(descriptor, path, body)
      // What is at the path itself is replaced. If it is a link, its target stays.
      guard unsafe rename(temporary, path) == 0 else { throw failure(path) }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    do {
      try FileSystem.syncDirectory(FileSystem.parent(of: path))
    } catch {
      throw FileFailure(.write, path, .notSynced, String(describing: error))
    }
    return result
  }

  /// Opens a device or a pipe. A FIFO of somebody else would hand the file to whoever reads it, and one that nobody reads
  /// would be waited for without end. A pipe that this program was given, such as `/dev/stdout`, may be anybody's.
  private static func openDevice(_ path: String, _ status: stat) throws -> Int32 {
    let isFIFO = status.st_mode & S_IFMT == S_IFIFO
    let isGiven = isFIFO && isOpenAlready(status)
    let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if isFIFO, errno == ENXIO { throw FileFailure(.write, path, .io, "nobody reads it") }
      throw failure(path)
    }
    var opened = stat()
    guard unsafe fstat(descriptor, &opened) == 0, fcntl(descriptor, F_SETFL, O_WRONLY) == 0 else {
      defer { close(descriptor) }
      throw failure(path)
    }
    let isSame = opened.st_dev == status.st_dev && opened.st_ino == status.st_ino
    if opened.st_mode & S_IFMT == S_IFIFO, opened.st_uid != geteuid(), !(isGiven && isSame) {
      close(descriptor)
      throw FileFailure(
        .write, path, .foreignFile,
        "it is a FIFO that belongs to the user of number \(opened.st_uid), who could read all of it")
    }
    return descriptor
  }

  /// Whether this program has a file open.
  private static func isOpenAlready(_ status: stat) -> Bool {
    (0..<Int32(1024)).contains { descriptor in
      var other = stat()
      return unsafe fstat(descriptor, &other) == 0 && other.st_dev == status.st_dev
        && other.st_ino == status.st_ino
    }
  }

  private static func makeTemporary(beside path: String) throws -> (descriptor: Int32, path: String) {
    let name = path.utf8.last == UInt8(ascii: "/") ? "" : path.split(separator: "/").last ?? ""
    guard !name.isEmpty else { throw FileFailure(.write, path, .invalidValue, "it names no file") }
    // Shortened, because the name may already be as long as the system allows.
    let start = ".\(String(decoding: name.utf8.prefix(200), as: UTF8.self))."
    let directory = FileSystem.parent(of: path)
    removeLeftOvers(in: directory, start)
    while true {
      let random = String(UInt64.random(in: .min ... .max), radix: 36)
      let temporary = "\(directory)/\(start)\(random)\(ending)"
      do {
        let descriptor = try OwnFile.create(temporary)
        // Where files have no locks, nobody takes this one for left over.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, !isFile(descriptor, at: temporary) {
          // Another program has taken it for left over before it had its lock.
          close(descriptor)
          continue
        }
        return (descriptor, temporary)
      } catch {
        throw FileFailure(.write, path, code: error.rawCode)
      }
    }
  }

  /// The end of the name of a file that is not complete.
  private static let ending = ".partial"

  /// Removes what killed programs have left of a file: files of ours with its name that nobody has locked. Does nothing where
  /// that fails, since it is nothing that this file needs.
  private static func removeLeftOvers(in directory: String, _ start: String) {
    guard let names = try? FileSystem.names(in: directory) else { return }
    for name in names where name.hasPrefix(start) && name.hasSuffix(ending) {
      let random = name.dropFirst(start.count).dropLast(ending.count)
      let path = "\(directory)/\(name)"
      guard UInt64(random, radix: 36) != nil, let file = try? OwnFile.openForReading(path) else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0, isFile(file, at: path) { unsafe unlink(path) }
      close(file)
    }
  }

  /// Whether an open file is the one at a path.
  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var opened = stat()
    var found = stat()
    return unsafe fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0
      && opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }

  private static func fill<Result>(_ descriptor: Int32, _ path: String, _ body: (Int32) throws -> Result)
    throws
    -> Result
  {
    let result = try body(descriptor)
    // Pipes and devices cannot be synchronised.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP else {
      throw failure(path)
    }
    return result
  }

  private static func failure(_ path: String) -> FileFailure { FileFailure(.write, path, code: errno) }
}
