/// A line of the benchmarks' source, as a link from the report to it.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The link, relative to the folder of the report: `Sources/SatchelBenchmark/Workloads/Pages.swift#L12`.
  public let link: String

  /// The link to a line of a file, given the path that the compiler saw.
  public init(file: String, line: Int) {
    let parts = file.split(separator: "/")
    let start = parts.lastIndex(of: "Sources") ?? max(parts.count - 1, 0)
    link = parts[start...].joined(separator: "/") + "#L\(line)"
  }

  public var description: String { link }
}
