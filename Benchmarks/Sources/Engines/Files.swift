import Foundation

/// What measuring needs of files.
public enum Files {
  /// Waits until a file's pages are on the disk.
  public static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: path]) }
    defer { close(descriptor) }
    fsync(descriptor)
  }

  /// Waits until a file's pages, SQLite's log included, or those of all files in a directory, are on the disk.
  public static func syncAll(_ path: String) {
    for file in files(path) {
      let descriptor = open(file, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      fsync(descriptor)
      close(descriptor)
    }
  }

  /// Has the system forget the cached pages of a file, or of all files in a directory: the next read comes from the disk.
  /// Nobody may have them mapped.
  public static func evict(_ path: String) {
    for file in files(path) {
      let descriptor = open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      fsync(descriptor)
      #if os(Linux)
        posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_DONTNEED))
      #endif
      close(descriptor)
    }
  }

  /// Reads a file, or all files in a directory, so that the system has their pages in memory, as far as there is room.
  public static func warm(_ path: String) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    for file in files(path) {
      let descriptor = open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }
  }

  /// The bytes that a file, or all files in a directory, take on the disk, SQLite's log included.
  public static func size(_ path: String) -> Int {
    var total = 0
    for file in files(path) {
      var status = stat()
      if stat(file, &status) == 0 { total += Int(status.st_blocks) * 512 }
    }
    return total
  }

  /// When a file was last written to, in nanoseconds since 1970; nil if there is none.
  public static func modified(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if os(Linux)
      return status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    #else
      return status.st_mtimespec.tv_sec * 1_000_000_000 + status.st_mtimespec.tv_nsec
    #endif
  }

  public static func remove(_ path: String) {
    for file in [path, path + "-wal", path + "-shm"] { try? FileManager.default.removeItem(atPath: file) }
  }

  private static func files(_ path: String) -> [String] {
    if let names = try? FileManager.default.contentsOfDirectory(atPath: path) {
      return names.map { path + "/" + $0 }
    }
    return [path, path + "-wal"]
  }
}
