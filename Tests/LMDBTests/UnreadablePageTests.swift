import LMDBPages
import LMDBScenes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A read that fails is no damage: another one may succeed.
@Suite struct UnreadablePageTests {
  /// Reads page 2 of a file.
  private func read(_ descriptor: Int32) -> PageFault? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    return bytes.withUnsafeMutableBytes { buffer in
      do throws(PageFault) {
        try FilePages(descriptor: descriptor, pageSize: 4096).read(2, into: buffer)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func whatTheSystemDoesNotReadIsNotCorrupted() throws {
    // The system opens a directory and reads none of its bytes.
    let directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(directory >= 0)
    defer { close(directory) }
    let fault = try #require(read(directory))
    #expect(fault.code == .io(EISDIR))
    #expect(fault.page == 2)
    #expect(fault.description.hasPrefix("page 2: it could not be read: "))
  }

  @Test func aFileThatEndsTooEarlyIsCorrupted() throws {
    let scratch = Scratch()
    let path = scratch.path + "-short"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer {
      close(file)
      unlink(path)
    }
    #expect(read(file)?.code == .corrupted)
    #expect(read(file)?.systemError == 0)
  }
}
