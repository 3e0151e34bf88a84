import SatchelModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is read, or standard input for `-`.
final class InputFile {
  let descriptor: Int32
  /// The length of a regular file; 0 where there is none.
  let byteCount: Int

  /// - Throws: `ToolError` when the file cannot be opened.
  init(_ path: String) throws {
    descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ToolError("cannot read \(path): \(systemError())") }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw ToolError("cannot read \(path): \(systemError())") }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw ToolError(
        "cannot read \(path): it is a directory, and a file of the interchange format is needed")
    case S_IFREG: byteCount = Int(status.st_size)
    default: byteCount = 0
    }
  }

  deinit {
    if descriptor > 0 { close(descriptor) }
  }
}

/// A file that is written as a whole: beside its place first, and moved there when it is complete and on the disk.
enum OutputFile {
  /// Calls `body` with a descriptor for the file, or for standard output with `-`.
  static func write<Result>(to path: String, _ body: (Int32) throws -> Result) throws -> Result {
    guard path != "-" else { return try body(1) }
    // A device or a pipe is written where it is.
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      return try fill(path, flags: O_WRONLY, body)
    }
    let temporary = path + ".partial"
    do {
      let result = try fill(temporary, flags: O_WRONLY | O_CREAT | O_TRUNC, body)
      guard rename(temporary, path) == 0 else { throw ToolError("cannot write \(path): \(systemError())") }
      return result
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func fill<Result>(_ path: String, flags: Int32, _ body: (Int32) throws -> Result) throws
    -> Result
  {
    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ToolError("cannot write \(path): \(systemError())") }
    defer { close(descriptor) }
    let result = try body(descriptor)
    // Pipes and devices cannot be synchronised.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP else {
      throw ToolError("cannot write \(path): \(systemError())")
    }
    return result
  }
}

/// What the system says of its last error.
func systemError() -> String { String(cString: strerror(errno)) }
