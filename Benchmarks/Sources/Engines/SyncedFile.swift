import Foundation

/// A file that is written and synced a block at a time: what the disk alone needs for a durable commit.
public final class SyncedFile {
  /// The bytes of a block.
  public static let blockBytes = 4096

  private let path: String
  private let descriptor: Int32
  private let block = [UInt8](repeating: 0x5A, count: SyncedFile.blockBytes)
  private var end = off_t(SyncedFile.blockBytes)

  /// Makes a file of one block of zeros, on the disk already; it is removed when this is.
  public init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
    try write([UInt8](repeating: 0, count: Self.blockBytes), at: 0)
    guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit {
    close(descriptor)
    Files.remove(path)
  }

  /// Writes the first block again, and waits until it is on the disk.
  public func overwrite() throws {
    try write(block, at: 0)
    try sync()
  }

  /// Adds a block, and waits until it is on the disk.
  public func append() throws {
    try write(block, at: end)
    try sync()
    end += off_t(Self.blockBytes)
  }

  private func write(_ bytes: [UInt8], at offset: off_t) throws {
    guard pwrite(descriptor, bytes, bytes.count, offset) == bytes.count else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
    }
  }

  private func sync() throws {
    #if os(Linux)
      let result = fdatasync(descriptor)
    #else
      let result = fcntl(descriptor, F_FULLFSYNC)
    #endif
    guard result == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
  }
}
