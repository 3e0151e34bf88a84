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
  /// The length of a regular file, in bytes; 0 for anything else.
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

/// Returns the system's text for its last error.
func systemError() -> String { String(cString: strerror(errno)) }
