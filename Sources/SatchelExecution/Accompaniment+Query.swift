package import SatchelQuery
package import SatchelReading

extension Accompaniment {
  /// What comes with the results of a query in one read.
  /// - Throws: ``SatchelError`` for inclusions that cannot be had: see `QueryDescription.resolvedInclusions`.
  package init(_ query: QueryDescription, in snapshot: Snapshot) throws {
    let contents: ContentSelection = query.omitsContents ? .none : .ofMessage
    guard query.kind != .records else {
      self.init(contents)
      guard !query.inclusions.isEmpty || !query.computations.isEmpty else { return }
      let paths = try query.recordInclusions(of: Executor(snapshot).queriedType(of: query))
      referenced = RecordInclusionReader(
        paths.map { RecordInclusionPath($0.steps, name: $0.name) }, computing: query.computations, contents,
        in: snapshot)
      return
    }
    self.init(
      contents,
      included: query.inclusions.isEmpty
        ? nil : try InclusionReader(query.resolvedInclusions(), contents, in: snapshot))
  }
}
