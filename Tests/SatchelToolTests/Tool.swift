import Foundation
import Testing

/// The program as its users run it: a process with arguments, input, output and an exit status.
struct Tool {
  /// Whether the programs run under the thread sanitizer, which ends where files may not have any length.
  static let isUnderThreadSanitizer =
    ProcessInfo.processInfo.environment["SATCHEL_SANITIZER"] == "thread"

  /// What a run has left.
  struct Result {
    let status: Int32
    let output: String
    let errors: String

    /// The lines of standard output.
    var lines: [String] {
      output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  /// A directory of a test's own; its files are gone when the value is.
  final class Directory {
    let path: String

    init() throws {
      path = FileManager.default.temporaryDirectory.path + "/satchel-tool-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// The path of a file in the directory.
    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file.
    @discardableResult
    func write(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
      try Data(content).write(to: URL(fileURLWithPath: self(name)))
      return self(name)
    }

    @discardableResult
    func write(_ name: String, lines: [String]) throws -> String {
      try write(name, lines.map { $0 + "\n" }.joined().utf8)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self(name)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The built program: beside the test bundle, or else in the build directory of the package.
  static let path: String = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { package.deleteLastPathComponent() }
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    let candidates = [
      bundle.appendingPathComponent("satchel").path,
      // On Apple systems the executable of the bundle lies three directories deeper.
      bundle.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("satchel").path,
      package.appendingPathComponent(".build/\(configuration)/satchel").path,
    ]
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "satchel"
  }()

  /// Runs the program to its end.
  @discardableResult
  static func run(_ arguments: [String], input: String = "", columns: Int? = nil) throws -> Result {
    try execute(path, arguments, input: input, columns: columns)
  }

  @discardableResult
  static func run(_ arguments: String..., input: String = "") throws -> Result {
    try run(arguments, input: input)
  }

  /// Runs a line of the shell, in which `$satchel` is the program.
  static func shell(_ script: String, _ arguments: String...) throws -> Result {
    try execute("/bin/bash", ["-c", script, "bash"] + arguments, input: "", columns: nil)
  }

  private static func execute(
    _ program: String, _ arguments: [String], input: String, columns: Int?
  ) throws -> Result {
    // Files rather than pipes, so that nobody waits for a full pipe.
    let directory = try Directory()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["satchel"] = path
    environment["COLUMNS"] = columns.map(String.init)
    process.environment = environment
    let inputPath = try directory.write("input", input.utf8)
    let outputPath = try directory.write("output", [])
    let errorPath = try directory.write("errors", [])
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: inputPath))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit, "\(arguments) ended by a signal")
    func text(_ path: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }
    return Result(
      status: process.terminationStatus, output: try text(outputPath), errors: try text(errorPath))
  }
}

/// The small store that most tests ask.
enum Sample {
  static let header = #"{"kind":"header","format":"satchel-interchange","version":1}"#

  static let lines: [String] = [
    header,
    #"{"kind":"identity","userID":"alice","displayName":"Alice"}"#,
    #"{"kind":"identity","userID":"bob","displayName":"Bob 🎒","emailAddress":"bob@example.org"}"#,
    #"{"kind":"conversation","identifier":"lunch","participants":["alice","bob"],"metadata":{"title":"Lunch"}}"#,
    #"{"kind":"conversation","identifier":"secret","participants":["bob"]}"#,
    #"{"kind":"message","identifier":"m1","conversation":"lunch","sender":"bob","position":1,"sentAt":"2024-01-01T12:00:00Z","isUnread":true,"parts":[{"mimeType":"text/plain","text":"Noon?\n\u001b[31mred"}]}"#,
    #"{"kind":"message","identifier":"m2","conversation":"lunch","sender":"alice","position":2,"sentAt":"2024-01-02T12:00:00Z","parts":[{"mimeType":"text/plain","text":"午後はどうですか、駅前の喫茶店で待っています"},{"mimeType":"image/png","base64":"iVBO"}]}"#,
    #"{"kind":"message","identifier":"m3","conversation":"lunch","sender":"bob","position":3,"sentAt":"2024-01-03T12:00:00Z","isUnread":true,"parts":[{"mimeType":"text/plain","text":"Fine"}]}"#,
    #"{"kind":"message","identifier":"hidden","conversation":"secret","sender":"bob","position":1}"#,
    #"{"kind":"announcement","identifier":"a1","sender":"bob","parts":[{"mimeType":"text/plain","text":"All"}]}"#,
  ]

  /// Imports the sample into `store` of a directory.
  static func make(in directory: Tool.Directory) throws -> String {
    let file = try directory.write("sample.jsonl", lines: lines)
    let result = try Tool.run("import", directory("store"), file, "--as", "alice")
    try #require(result.status == 0, "\(result.errors)")
    return directory("store")
  }
}
