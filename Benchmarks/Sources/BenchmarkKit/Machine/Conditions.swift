import Foundation

/// Under what conditions rows were measured: kept beside the results, because they are an array of rows alone. Runs of
/// other sizes, merged into the same results, have their own.
public struct Conditions: Hashable, Sendable, Codable {
  /// When the run began, in UTC: `2026-06-29 12:30`.
  public var date: String
  /// The minutes that it took.
  public var minutes: Double
  /// Where it ran.
  public var machine: Machine
  /// The versions of what was measured, by name: Swift, LMDB, SQLite, GRDB, Satchel's commit.
  public var versions: [String: String]
  /// The sizes of chats that it measured.
  public var sizes: [Int]
  /// The corpora that it measured.
  public var corpora: [String]
  /// Whether only some of the workloads ran.
  public var isPartial: Bool

  /// The conditions of a run.
  public init(
    date: String, minutes: Double, machine: Machine, versions: [String: String], sizes: [Int],
    corpora: [String], isPartial: Bool
  ) {
    self.date = date
    self.minutes = minutes
    self.machine = machine
    self.versions = versions
    self.sizes = sizes
    self.corpora = corpora
    self.isPartial = isPartial
  }

  /// The text of a file with the conditions of the runs that the results come from.
  public static func text(of runs: [Conditions]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(runs), as: UTF8.self) + "\n"
  }

  /// The conditions in a file; none if there is no such file, or it is not one.
  public static func runs(at path: String) -> [Conditions] {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    return (try? JSONDecoder().decode([Conditions].self, from: data)) ?? []
  }
}

extension [Conditions] {
  /// These runs with a later one. Runs of which it measured everything anew are forgotten.
  public func merged(with later: Conditions) -> [Conditions] {
    filter { run in
      later.isPartial
        || !(Set(run.sizes).isSubset(of: later.sizes) && Set(run.corpora).isSubset(of: later.corpora))
    } + [later]
  }
}
