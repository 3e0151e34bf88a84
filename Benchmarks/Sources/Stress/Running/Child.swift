import Foundation

/// A process that writes into the store, and is killed without a warning.
struct Child {
  let store: String
  /// Where its operations are.
  let file: String

  /// Starts a child with operations, and kills it after some milliseconds unless it is done.
  ///
  /// Throws what the child says if it fails by itself.
  func run(_ operations: [Operation], isDurable: Bool, milliseconds: Int) throws {
    let lines = try operations.map { try JSONEncoder().encode($0) + [UInt8(ascii: "\n")] }
    try lines.reduce(Data(), +).write(to: URL(fileURLWithPath: file))
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["apply", store, file] + (isDurable ? ["--durable"] : [])
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let deadline = Date.now.addingTimeInterval(Double(milliseconds) / 1000)
    while process.isRunning, Date.now < deadline { usleep(500) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let wasKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    guard wasKilled || process.terminationStatus == 0 else {
      throw StressError(
        "the writing child ended with \(process.terminationStatus): \(String(decoding: text, as: UTF8.self))")
    }
  }
}

/// The `satchel` command beside this program.
struct Tool {
  private let url: URL

  init() throws {
    let named = ProcessInfo.processInfo.environment["SATCHEL"].map { URL(fileURLWithPath: $0) }
    let beside = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("satchel")
    guard let url = named ?? beside, FileManager.default.isExecutableFile(atPath: url.path) else {
      throw StressError("the satchel command is not beside this program: build it, or name it in SATCHEL")
    }
    self.url = url
  }

  /// Checks a store: all checksums, and every index against every record.
  func verify(_ store: String) throws {
    let process = Process()
    process.executableURL = url
    process.arguments = ["verify", store]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw StressError(
        "satchel verify ended with \(process.terminationStatus): \(String(decoding: text, as: UTF8.self))")
    }
  }
}
