#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is read from its beginning, or an open file that is read on from where it is.
package final class InputFile {
  package let descriptor: Int32
  /// The number of bytes that are left to read; nil if the file is not a regular one, so that nobody knows it.
  package let byteCount: Int?
  private let isOwned: Bool

  /// Opens a file. It is closed with the object.
  /// - Throws: `FileFailure`.
  package init(_ path: String) throws(FileFailure) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(.read, path, code: errno) }
    do throws(FileFailure) {
      byteCount = try Self.byteCount(descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    isOwned = true
  }

  /// Reads on in a file that the caller has opened, and closes.
  /// - Parameter name: What the file is called in errors.
  /// - Throws: `FileFailure`.
  package init(descriptor: Int32, name: String) throws(FileFailure) {
    byteCount = try Self.byteCount(descriptor, name)
    self.descriptor = descriptor
    isOwned = false
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  private static func byteCount(_ descriptor: Int32, _ name: String) throws(FileFailure) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileFailure(.read, name, code: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw FileFailure(
        .read, name, .io, "it is a directory, and a file of the interchange format is needed")
    case S_IFREG: return Int(max(0, Int64(status.st_size) - max(0, FileDescriptor.offset(descriptor))))
    default: return nil
    }
  }
}
