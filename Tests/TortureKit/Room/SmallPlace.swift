#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A place with little room for a store.
package final class SmallPlace {
  /// What ends the room.
  package enum Kind: String, CaseIterable, Sendable {
    case tmpfs, ext4
    /// The store's own limit, on a disk that is large enough.
    case limit
  }

  /// The directory in which the store is to be.
  package let path: String
  /// The most bytes that the store's file may have; nil where the disk ends the room.
  package let limit: Int?
  private let scratch: Scratch
  private let isMounted: Bool

  /// Makes a place of so many bytes. Nil where this user may not mount file systems.
  package init?(_ kind: Kind, bytes: Int) throws {
    scratch = try Scratch()
    path = scratch("place")
    try Files.makeDirectory(path)
    limit = kind == .limit ? bytes : nil
    let script: String
    switch kind {
    case .limit:
      isMounted = false
      return
    case .tmpfs: script = "mount -t tmpfs -o size=\(bytes) tmpfs \(path)"
    case .ext4:
      let image = scratch("disk")
      script = "truncate -s \(bytes) \(image) && mkfs.ext4 -q -F \(image) && mount -o loop \(image) \(path)"
    }
    isMounted = try Child.run("/bin/sh", ["-c", script], in: scratch.path).end == .exited(0)
    if !isMounted { return nil }
  }

  deinit {
    if isMounted { _ = try? Child.run("/bin/sh", ["-c", "umount -l \(path)"], in: scratch.path) }
  }

  /// Takes all room that is left, as other programs do.
  /// - Parameter bytes: How much of it to leave.
  package func takeRest(leaving bytes: Int = 0) throws {
    guard isMounted else { return }
    let part = path + "/part"
    if bytes > 0 { try Files.write([UInt8](repeating: 7, count: bytes), to: part) }
    defer { if bytes > 0 { unlink(part) } }
    let file = open(path + "/others", O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    for size in [64 << 10, 4 << 10, 512] {
      let bytes = [UInt8](repeating: 7, count: size)
      while bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == size {}
    }
    fsync(file)
  }
}
