package import SatchelQuery
package import SatchelReading

extension Accompaniment {
  /// What comes with the results of a query in one read.
  /// - Throws: ``SatchelError`` for inclusions that cannot be had: see `QueryDescription.resolvedInclusions`.
  package init(_ query: QueryDescription, in snapshot: Snapshot) throws {
    let contents: ContentSelection = query.omitsContents ? .none : .ofMessage
    self.init(
      contents,
      included: query.inclusions.isEmpty
        ? nil : InclusionReader(try query.resolvedInclusions(), contents, in: snapshot))
  }
}
