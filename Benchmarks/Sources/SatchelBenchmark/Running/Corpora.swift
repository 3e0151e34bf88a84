import Foundation

/// A corpus: a chat of real messages in the interchange format.
struct Corpus {
  /// The file's name without its extensions.
  let name: String
  /// The file; packed by xz if it ends so.
  let path: String

  private var isPacked: Bool { path.hasSuffix(".xz") }

  /// The corpora in a folder, smallest first.
  static func all(in folder: String) throws -> [Corpus] {
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw BenchmarkError(
        "\(folder): there is no such folder; --corpora names one with *.jsonl or *.jsonl.xz files")
    }
    var corpora: [String: Corpus] = [:]
    for file in files.sorted() {
      for ending in [".jsonl.xz", ".jsonl"] where file.hasSuffix(ending) {
        let name = String(file.dropLast(ending.count))
        corpora[name] = Corpus(name: name, path: folder + "/" + file)
        break
      }
    }
    guard !corpora.isEmpty else {
      throw BenchmarkError(
        "\(folder) has no corpus; expected are chats in the interchange format, *.jsonl or *.jsonl.xz")
    }
    return corpora.values.sorted { ($0.size, $0.name) < ($1.size, $1.name) }
  }

  private var size: Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// The lines, unpacked into a folder if they are packed.
  func unpack(into folder: String) throws -> String {
    guard isPacked else { return path }
    let unpacked = folder + "/corpus.jsonl"
    _ = FileManager.default.createFile(atPath: unpacked, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xz", "--decompress", "--stdout", path]
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: unpacked))
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    try output.close()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError(
        "\(path) could not be unpacked; xz is needed (apt-get install xz-utils), or the unpacked file")
    }
    return unpacked
  }

  /// Whose store the messages make: whoever takes part in the most conversations.
  static func user(of path: String) throws -> String {
    struct Line: Decodable {
      let kind: String
      let participants: [String]?
    }
    var conversations: [String: Int] = [:]
    let lines = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    for line in lines.split(separator: UInt8(ascii: "\n")) where line.prefix(32).contains(wanted) {
      guard let line = try? JSONDecoder().decode(Line.self, from: line), line.kind == "conversation" else {
        continue
      }
      for participant in line.participants ?? [] { conversations[participant, default: 0] += 1 }
    }
    guard let user = conversations.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
      throw BenchmarkError("\(path) has no conversation with participants; is it in the interchange format?")
    }
    return user.key
  }

  private static let wanted = Array("\"conversation\"".utf8)
}
