import Foundation

/// Versions of what a run is made of, asked of the tools that know.
public enum Versions {
  /// The compiler's version, as `swift --version` tells it; the language version that compiled this where there is none.
  public static func swift() -> String {
    let lines = output("swift", ["--version"])?.split(separator: "\n").map(String.init) ?? []
    guard let line = lines.first(where: { $0.contains("Swift version") }),
      let start = line.range(of: "Swift version ")
    else { return "6" }
    return line[start.upperBound...].prefix { $0 != " " }.description
  }

  /// The commit that a folder is at, marked if files differ from it; nil without git.
  public static func commit(of folder: String) -> String? {
    guard let commit = output("git", ["-C", folder, "rev-parse", "--short=12", "HEAD"]) else { return nil }
    let changes = output(
      "git", ["-C", folder, "status", "--porcelain", "--untracked-files=no", "--", "Sources"])
    return commit + (changes.map { $0.isEmpty ? "" : " with changes" } ?? "")
  }

  /// The version of a dependency, from `Package.resolved` of a package; nil if it has none of that name.
  public static func dependency(_ identity: String, of package: String) -> String? {
    struct Resolved: Decodable {
      struct Pin: Decodable {
        struct State: Decodable { let version: String? }
        let identity: String
        let state: State
      }
      let pins: [Pin]
    }
    let data = FileManager.default.contents(atPath: package + "/Package.resolved") ?? Data()
    let resolved = try? JSONDecoder().decode(Resolved.self, from: data)
    return resolved?.pins.first { $0.identity == identity }?.state.version
  }

  /// What a program prints, without the end of the line; nil if it cannot be run or fails.
  private static func output(_ program: String, _ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
