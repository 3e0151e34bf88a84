import Foundation

/// The folder that stores are made in, removed at the end, also when the run is interrupted.
final class Scratch: Sendable {
  let path: String

  private static let prefix = "satchel-benchmark-"

  /// Bytes that a generated message takes in the lines and all stores made of them, with what writes add.
  static let bytesPerMessage = 6_000

  /// Makes a folder of its own within another one.
  init(in folder: String) throws {
    path = folder + "/\(Self.prefix)\(ProcessInfo.processInfo.processIdentifier)"
    Self.removeAbandoned(in: folder)
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw BenchmarkError(
        "\(folder) cannot be written to; name a folder on the disk to measure with --scratch")
    }
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes what runs have left that were killed.
  private static func removeAbandoned(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix(prefix) {
      guard let process = Int32(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  /// Checks that there is room for stores of so many messages.
  func require(room messages: Int) throws {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: path)
    let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value ?? .max
    let needed = Int64(messages) * Int64(Self.bytesPerMessage) + 200_000_000
    guard free >= needed else {
      throw BenchmarkError(
        "\(path) has \(free / 1_000_000) MB left, and \(messages) messages need about \(needed / 1_000_000) MB; "
          + "make room, name another disk with --scratch, or measure smaller --sizes")
    }
  }
}
