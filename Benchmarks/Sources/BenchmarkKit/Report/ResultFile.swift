import Foundation

/// `results.json`: an array, one row a workload, size and engine; a row a line, so that two versions of the file can be
/// compared line by line.
public enum ResultFile {
  /// Rows that could not be read.
  public struct Unreadable: Error, CustomStringConvertible {
    public let description: String
  }

  /// The text of the file.
  public static func text(of rows: [Result]) -> String {
    "[\n" + rows.map { "  " + line(of: $0) }.joined(separator: ",\n") + "\n]\n"
  }

  /// The rows of a text.
  ///
  /// Throws `Unreadable`, which says what is wrong.
  public static func rows(in text: Data) throws -> [Result] {
    do {
      return try JSONDecoder().decode([Result].self, from: text)
    } catch let error as DecodingError {
      throw Unreadable(description: "not an array of benchmark results: \(message(of: error))")
    }
  }

  /// The rows of a file.
  ///
  /// Throws `Unreadable`, which names the file and says what is wrong.
  public static func rows(at path: String) throws -> [Result] {
    guard let text = FileManager.default.contents(atPath: path) else {
      throw Unreadable(
        description: "\(path): there is no such file, or it cannot be read; "
          + "satchel-benchmark run writes one into its output folder")
    }
    do {
      return try rows(in: text)
    } catch let error as Unreadable {
      throw Unreadable(description: "\(path): \(error)")
    }
  }

  private static func line(of row: Result) -> String {
    let fields: [(String, String)] = [
      ("workload", quoted(row.workload)),
      ("n", row.n.map(String.init) ?? "null"),
      ("engine", quoted(row.engine.rawValue)),
      ("median", number(row.median)),
      ("unit", quoted(row.unit.rawValue)),
      ("ratio", row.ratio.map(number) ?? "null"),
      ("minimum", number(row.minimum)),
      ("maximum", number(row.maximum)),
      ("lowerQuartile", number(row.lowerQuartile)),
      ("upperQuartile", number(row.upperQuartile)),
      ("rounds", String(row.rounds)),
      ("about", quoted(row.about)),
      ("source", quoted(row.source)),
    ]
    return "{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
  }

  /// A number with six significant digits; whole numbers as they are.
  static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
    return String(Double(String(format: "%.6g", value)) ?? value)
  }

  /// A text as JSON writes it.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case _ where scalar.value < 0x20: quoted += String(format: "\\u%04x", scalar.value)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func message(of error: DecodingError) -> String {
    switch error {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      let path = context.codingPath.map { $0.intValue.map { "row \($0)" } ?? $0.stringValue }
      return (path + [context.debugDescription]).joined(separator: ": ")
    @unknown default: return "\(error)"
    }
  }
}

extension [Result] {
  /// These rows with those of a later run: it replaces all rows of the sizes and corpora that it
  /// measured, or, if it measured only some workloads, the rows of those.
  public func merged(with later: [Result], onlySome: Bool) -> [Result] {
    let stores = Set(later.map { WorkKey($0.corpus ?? "", $0.n) })
    let rows = Set(later.map { RowKey($0) })
    return filter { row in
      onlySome ? !rows.contains(RowKey(row)) : !stores.contains(WorkKey(row.corpus ?? "", row.n))
    } + later
  }
}

/// What tells one row from all others.
struct RowKey: Hashable {
  let work: WorkKey
  let engine: EngineName

  init(_ row: Result) {
    work = row.key
    engine = row.engine
  }
}
