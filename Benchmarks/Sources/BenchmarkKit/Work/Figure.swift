/// A figure that is not the time of a repeated body: a size, bytes, the time of an import, a percentile.
public struct Figure {
  /// The name, with its group before a slash: `size/file`.
  public let name: String
  /// One line on what it is.
  public let about: String
  /// The number of messages in the store; nil on a corpus.
  public let n: Int?
  /// Whose it is.
  public let engine: EngineName
  /// The figure, in `unit`.
  public let value: Double
  /// What it counts.
  public let unit: Unit
  /// Where it is measured, for the link in the report.
  public let source: SourceLocation

  /// A figure.
  public init(
    _ name: String, about: String, n: Int?, engine: EngineName, value: Double, unit: Unit,
    file: String = #filePath, line: Int = #line
  ) {
    self.name = name
    self.about = about
    self.n = n
    self.engine = engine
    self.value = value
    self.unit = unit
    self.source = SourceLocation(file: file, line: line)
  }
}
