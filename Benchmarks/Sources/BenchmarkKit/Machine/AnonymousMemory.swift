import Foundation

/// The memory of a process that no file stands behind: what it allocated. Pages of mapped files and of the system's file
/// cache are not in it (VmHWM would count them), because the system takes them back when it needs them.
public enum AnonymousMemory {
  /// The bytes of a process now (RssAnon of /proc/PID/status), and of anonymous pages that it has swapped out;
  /// nil if there is no such process, or the system does not tell.
  public static func bytes(of process: Int32) -> Int? {
    guard let status = FileManager.default.contents(atPath: "/proc/\(process)/status") else { return nil }
    var total: Int?
    for line in String(decoding: status, as: UTF8.self).split(separator: "\n") {
      guard line.hasPrefix("RssAnon:") || line.hasPrefix("VmSwap:") else { continue }
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap {
        Int($0)
      }
      total = (total ?? 0) + (kilobytes ?? 0) * 1024
    }
    return total
  }

  /// Has this process's allocator give back to the system what is free: it counts as the process's otherwise, and would be used
  /// before anything new. Does nothing where the C library cannot (`malloc_trim` is glibc's).
  public static func giveBackFree() {
    guard let trim = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  /// Looks at a process every five milliseconds or so until it has ended, and gives the most that was seen; nil if the system
  /// does not tell. A peak that lasts less than that may be missed.
  public static func peak(of process: Int32, while isRunning: () -> Bool) -> Int? {
    var peak: Int?
    while isRunning() {
      if let bytes = bytes(of: process) { peak = max(peak ?? 0, bytes) }
      usleep(5000)
    }
    return peak
  }
}
