#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file without a name, gone when the value is.
struct TemporaryFile: ~Copyable {
  struct Failure: Error {
    let code: Int32
  }

  let descriptor: Int32

  /// A file that holds `content` and stands at its start.
  init(_ content: [UInt8] = []) throws {
    var path = Array("/tmp/satchel-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    unlink(path)
    guard write(descriptor, content, content.count) == content.count else { throw Failure(code: errno) }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Puts other content into the file, which then stands at its start.
  func fill(_ content: [UInt8]) throws {
    lseek(descriptor, 0, SEEK_SET)
    guard ftruncate(descriptor, 0) == 0, write(descriptor, content, content.count) == content.count else {
      throw Failure(code: errno)
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Everything that is in the file.
  func content() -> [UInt8] {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(0, size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes[..<max(0, count)])
  }

  deinit {
    close(descriptor)
  }
}
