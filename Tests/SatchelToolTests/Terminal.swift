import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The program with a terminal for its standard output and standard error.
enum TerminalRun {
  /// Runs the program to its end; what the terminal was given, with plain line ends.
  static func run(_ arguments: [String], input: String = "", columns: Int = 4000) throws -> (
    status: Int32, text: String
  ) {
    let (master, slave) = try open()
    var size = winsize()
    size.ws_col = UInt16(columns)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    let directory = try Tool.Directory()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.path)
    process.arguments = arguments
    process.standardInput = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: directory.write("input", input.utf8)))
    let end = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardOutput = end
    process.standardError = end
    try process.run()
    close(slave)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // The system says EIO when nobody has the other end any more.
    while true {
      let count = read(master, &buffer, buffer.count)
      if count <= 0 { break }
      bytes.append(contentsOf: buffer.prefix(count))
    }
    close(master)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    return (process.terminationStatus, text)
  }

  /// Both ends of a new terminal.
  static func open() throws -> (master: Int32, slave: Int32) {
    let (master, name) = try openMaster()
    #if canImport(Darwin)
      let slave = Darwin.open(name, O_RDWR | O_NOCTTY)
    #else
      let slave = Glibc.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    #endif
    try #require(slave >= 0, "no terminal at \(name)")
    return (master, slave)
  }

  /// One end of a new terminal, and the path of the other.
  static func openMaster() throws -> (master: Int32, name: String) {
    #if canImport(Darwin)
      let master = posix_openpt(O_RDWR | O_NOCTTY)
      try #require(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0, "no terminal")
      return (master, try #require(ptsname(master).map { String(cString: $0) }))
    #else
      // Glibc's module lacks the calls for this, which are these requests: TIOCSPTLCK and TIOCGPTN.
      let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (lock, number): (Int32, Int32) = (0, -1)
      try #require(
        master >= 0 && ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0,
        "no terminal")
      return (master, "/dev/pts/\(number)")
    #endif
  }
}
