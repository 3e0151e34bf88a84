import BenchmarkKit
import Engines
import Foundation

/// How much memory an import needs: each is done in a process of its own, because this one's would count what it did before.
final class ImportMemory {
  /// The peaks by engine; none where the system does not tell.
  private(set) var peaks: [String: Int] = [:]

  /// Loads a chat into a new store.
  func load(_ engine: String, _ chat: Chat, into store: String) throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["import", engine, chat.lines.path, chat.user, store]
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    Interruption.children.withLock { _ = $0.insert(process.processIdentifier) }
    defer { Interruption.children.withLock { _ = $0.remove(process.processIdentifier) } }
    peaks[engine] = AnonymousMemory.peak(of: process.processIdentifier) { process.isRunning }
    process.waitUntilExit()
    // 3: done, but lines of a corpus were rejected.
    guard process.terminationReason == .exit, [0, 3].contains(process.terminationStatus) else {
      let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
      throw BenchmarkError("the import by \(engine) in a process of its own failed: \(text)")
    }
  }

  func figures(_ n: Int?) -> [Figure] {
    EngineName.allCases.compactMap { engine in
      peaks[engine.rawValue].map {
        Figure(
          "memory/peak-import",
          about: "The most anonymous memory of a process that loads all lines into a new store", n: n,
          engine: engine, value: Double($0) / 1e6, unit: .megabytes)
      }
    }
  }
}
