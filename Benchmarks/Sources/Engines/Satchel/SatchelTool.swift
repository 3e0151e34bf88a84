import Foundation

/// The `satchel` command, which stands beside the benchmark's own executable: what has lines to do is its work, as it is
/// anybody's who has a file to import.
public struct SatchelTool: Sendable {
  public let path: String

  /// The command beside this program, or the one that `SATCHEL` names.
  public init() throws {
    let beside = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("satchel").path
    guard let path = ProcessInfo.processInfo.environment["SATCHEL"] ?? beside,
      FileManager.default.isExecutableFile(atPath: path)
    else {
      throw SatchelToolError(
        description: "the satchel command is not beside this program: build it, or name it in SATCHEL")
    }
    self.path = path
  }

  /// Runs the command.
  /// - Returns: What it has written to standard output, unless that goes into a file.
  @discardableResult
  public func run(_ arguments: [String], into file: String? = nil, accepting statuses: Set<Int32> = [0])
    throws
    -> Data
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    // Rejected lines are told one by one.
    process.standardError = FileHandle.nullDevice
    var output = Data()
    if let file {
      _ = FileManager.default.createFile(atPath: file, contents: nil)
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
      process.standardOutput = handle
      try process.run()
      process.waitUntilExit()
      try handle.close()
    } else {
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
    }
    guard statuses.contains(process.terminationStatus) else {
      throw SatchelToolError(
        description: "satchel \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
    }
    return output
  }

  /// Makes a store of lines; those that cannot be taken are left out.
  public func load(_ lines: LineFile, into path: String, user: String) throws {
    try run(["import", path, lines.path, "--as", user, "--skip-invalid"], accepting: [0, 3])
  }

  /// Makes a store of lines, all of which have to be taken.
  func loadAll(_ lines: LineFile, into path: String, user: String) throws {
    try run(["import", path, lines.path, "--as", user])
  }
}

/// Why the command could not do its work.
public struct SatchelToolError: Error, CustomStringConvertible {
  public let description: String
}
