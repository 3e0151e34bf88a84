import SatchelModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that becomes the content of a part.
package final class ContentFile {
  private let descriptor: Int32
  private let path: String
  /// Its size when it was opened; nil if it is not a regular file, so that nobody knows it.
  private let size: Int64?
  private var read: Int64 = 0

  /// Opens a file. It is closed with the object.
  /// - Throws: ``SatchelError`` `permissionDenied` or `io`, with the path and the reason.
  package init(_ path: String) throws {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else { throw Self.error(path, errno) }
    do {
      size = try Self.size(descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Returns the next bytes; nil at the end.
  /// - Throws: ``SatchelError`` `io`, also if the file has not the size any more that it had.
  package func next() throws -> [UInt8]? {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      var result = 0
      repeat {
        result = unsafe Self.read(descriptor, buffer)
      } while result < 0 && errno == EINTR
      if result < 0 { failure = errno }
      count = max(0, result)
    }
    if failure != 0 { throw Self.error(path, failure) }
    read += Int64(bytes.count)
    guard bytes.isEmpty else { return bytes }
    if let size {
      let now = try Self.size(descriptor, path) ?? size
      guard read == size, now == size else {
        throw SatchelError(
          .io,
          "The file of a part has changed while it was read: give it once nobody writes to it any more",
          ["file": path, "size": String(size), "read": String(read), "sizeNow": String(now)])
      }
    }
    return nil
  }

  private static let chunk = 1 << 18

  private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  private static func size(_ descriptor: Int32, _ path: String) throws -> Int64? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw error(path, errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw error(path, EISDIR) }
    return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }

  private static func error(_ path: String, _ code: Int32) -> SatchelError {
    SatchelError(
      code == EACCES || code == EPERM ? .permissionDenied : .io,
      "The file of a part cannot be read",
      ["file": path, "reason": unsafe String(cString: strerror(code))])
  }
}
