import Foundation
import Testing

/// A running `satchel watch`, whose output goes to a file.
final class RunningWatch {
  private let process = Process()
  private let directory: Tool.Directory

  /// Starts it and waits for its first line, or its end.
  static func start(_ arguments: [String], format: String = "json") async throws -> RunningWatch {
    let watch = try RunningWatch(arguments, format)
    while watch.process.isRunning, try watch.lines.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    return watch
  }

  private init(_ arguments: [String], _ format: String) throws {
    directory = try Tool.Directory()
    process.executableURL = URL(fileURLWithPath: Tool.path)
    process.arguments = ["watch"] + arguments + ["--format", format]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: try directory.write("output", []))
    process.standardError = FileHandle(forWritingAtPath: try directory.write("errors", []))
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// The complete lines so far.
  var lines: [String] {
    get throws {
      try text("output").split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  /// What stands on standard error.
  var errors: String { get throws { try text("errors") } }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: directory(name))), as: UTF8.self)
  }

  /// The list that the lines so far give.
  func list() throws -> ReplayedList { try ReplayedList(lines) }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for its end, and gives the exit status; nil where a signal ended it.
  func status() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  /// Ends it as a user does; its exit status.
  func end(_ number: Int32 = SIGTERM) -> Int32? {
    signal(number)
    return status()
  }

  /// Waits until there are so many lines, for a minute at most; they are fewer where they do not come.
  func lines(atLeast count: Int) async throws -> [String] {
    _ = try await waits { try lines.count >= count }
    return try lines
  }

  /// Waits until the lines give what is wanted, for a minute at most; false where they do not.
  func comes(to isWanted: (ReplayedList) -> Bool) async throws -> Bool {
    try await waits { isWanted(try list()) }
  }

  private func waits(for isReached: () throws -> Bool) async throws -> Bool {
    for _ in 0..<6000 {
      if try isReached() { return true }
      guard process.isRunning else { return try isReached() }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}
