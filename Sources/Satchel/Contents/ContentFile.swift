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
  /// What it was when it was opened.
  private let state: State
  private var read: Int64 = 0

  /// What tells whether somebody has written to a file.
  private struct State: Equatable {
    var size: Int64
    /// When its content and when anything of it has changed, as seconds and nanoseconds: who sets back the one changes the other.
    var times: [Int]
  }

  /// Opens a regular file, without waiting for anything. It is closed with the object.
  /// - Throws: ``SatchelError`` `permissionDenied` or `io`, with the path and the reason; `invalidValue` for a path with a NUL
  ///   character, and for what is no file with an end, such as a pipe or a device.
  package init(_ path: String) throws {
    guard !path.utf8.contains(0) else {
      throw SatchelError(
        .invalidValue, "The path of a part's file has no NUL character", ["file": path])
    }
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    self.path = path
    guard descriptor >= 0 else { throw Self.error(path, errno) }
    do {
      state = try Self.state(descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Returns the next bytes; nil at the end.
  /// - Throws: ``SatchelError`` `io`, also if somebody has written to the file since it was opened.
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
    let now = try Self.state(descriptor, path)
    // A file system that makes files when they are read, such as /proc, says 0 of each.
    guard now == state, read == state.size || state.size == 0 else {
      throw SatchelError(
        .io,
        "The file of a part has changed while it was read: give it once nobody writes to it any more",
        ["file": path, "size": String(state.size), "read": String(read), "sizeNow": String(now.size)])
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

  private static func state(_ descriptor: Int32, _ path: String) throws -> State {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw error(path, errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw error(path, EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SatchelError(
        .invalidValue,
        "The file of a part is a regular one; read a pipe or a device yourself, and give its pieces with chunks(_:mimeType:)",
        ["file": path])
    }
    #if canImport(Darwin)
      let (content, anything) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (content, anything) = (status.st_mtim, status.st_ctim)
    #endif
    return State(
      size: Int64(status.st_size),
      times: [content.tv_sec, content.tv_nsec, anything.tv_sec, anything.tv_nsec])
  }

  private static func error(_ path: String, _ code: Int32) -> SatchelError {
    SatchelError(
      code == EACCES || code == EPERM ? .permissionDenied : .io,
      "The file of a part cannot be read",
      ["file": path, "reason": unsafe String(cString: strerror(code))])
  }
}
