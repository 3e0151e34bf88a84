import BenchmarkKit
import Engines
import Foundation

/// How much memory an import needs, each engine's in a process of its own: this one's would count what it did before.
enum ImportMemory {
  /// The peaks of the engines; none where the system does not tell. The stores are removed.
  static func figures(_ chat: Chat, in folder: String) throws -> [Figure] {
    try [EngineName.satchel, .grdb, .sqlite].compactMap { engine in
      let store = folder + "/memory-\(engine.rawValue)"
      defer { Files.remove(store) }
      guard let bytes = try peak(of: [engine.rawValue, chat.lines.path, chat.user, store]) else { return nil }
      return Figure(
        "memory/peak-import",
        about: "The most anonymous memory of a process that loads all lines into a new store", n: chat.n,
        engine: engine, value: Double(bytes) / 1e6, unit: .megabytes)
    }
  }

  private static func peak(of arguments: [String]) throws -> Int? {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["import"] + arguments
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let peak = AnonymousMemory.peak(of: process.processIdentifier) { process.isRunning }
    process.waitUntilExit()
    // 3: done, but lines of a corpus were rejected.
    guard process.terminationReason == .exit, [0, 3].contains(process.terminationStatus) else {
      let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
      throw BenchmarkError("the import by \(arguments[0]) in a process of its own failed: \(text)")
    }
    return peak
  }
}
