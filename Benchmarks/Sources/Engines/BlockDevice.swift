import Foundation

/// The disk that a file is on, where Linux tells what it was given.
public struct BlockDevice {
  private let path: String

  /// The disk of a file or directory; nil if there is none that tells.
  public init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let device = UInt64(status.st_dev)
    let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
    self.path = "/sys/dev/block/\(major):\(minor)/stat"
    guard FileManager.default.isReadableFile(atPath: self.path) else { return nil }
  }

  /// The bytes that have been written to it since the machine was started.
  public var bytesWritten: Int {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let fields = text.split(separator: " ")
    // The seventh is sectors of 512 bytes.
    return fields.count > 6 ? (Int(fields[6]) ?? 0) * 512 : 0
  }
}
