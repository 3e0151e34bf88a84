import Foundation

/// The machine that a run was measured on.
public struct Machine: Hashable, Sendable, Codable {
  /// The processor's name.
  public let processor: String
  /// How many of its threads the system schedules on.
  public let cores: Int
  /// Bytes of memory.
  public let memory: UInt64
  /// The operating system.
  public let system: String
  /// The kernel and its version.
  public let kernel: String
  /// The file system under the stores, and its device.
  public let fileSystem: String

  /// This machine, with stores in a folder.
  public init(storesIn folder: String) {
    let info = ProcessInfo.processInfo
    processor = Self.processorName()
    cores = info.activeProcessorCount
    memory = info.physicalMemory
    system = Self.systemName()
    kernel = Self.kernelName()
    fileSystem = Self.fileSystem(of: folder)
  }

  private static func kernelName() -> String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return withUnsafeBytes(of: &names.sysname) { text($0) } + " "
      + withUnsafeBytes(of: &names.release) { text($0) } + " "
      + withUnsafeBytes(of: &names.machine) { text($0) }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  #if os(Linux)
    private static func processorName() -> String {
      let names = lines(of: "/proc/cpuinfo").filter { $0.hasPrefix("model name") }
      return names.first?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        ?? "unknown"
    }

    private static func systemName() -> String {
      let name = lines(of: "/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }
      return name?.dropFirst(12).trimmingCharacters(in: ["\""]) ?? "Linux"
    }

    /// The mount whose point is the longest that leads to the folder.
    private static func fileSystem(of folder: String) -> String {
      let path = (folder as NSString).resolvingSymlinksInPath
      let mounts = lines(of: "/proc/mounts").map { $0.split(separator: " ").map(String.init) }
      let best = mounts.filter { fields in
        fields.count > 2
          && (path == fields[1] || path.hasPrefix(fields[1] == "/" ? "/" : fields[1] + "/"))
      }.max { $0[1].count < $1[1].count }
      return best.map { "\($0[2]) (\($0[0]))" } ?? "unknown"
    }

    private static func lines(of path: String) -> [String] {
      let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
      return text?.split(separator: "\n").map(String.init) ?? []
    }
  #else
    private static func processorName() -> String {
      var size = 0
      sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
      var bytes = [UInt8](repeating: 0, count: size)
      sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0)
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func systemName() -> String {
      "macOS " + ProcessInfo.processInfo.operatingSystemVersionString
    }

    private static func fileSystem(of folder: String) -> String {
      var status = statfs()
      guard statfs(folder, &status) == 0 else { return "unknown" }
      return withUnsafeBytes(of: &status.f_fstypename) { text($0) }
    }
  #endif
}
