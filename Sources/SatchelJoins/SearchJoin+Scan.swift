internal import SatchelCoding
package import SatchelPlanning
package import SatchelReading

/// The streams of a scan.
extension SearchJoin {
  package init(_ scan: SearchScan, descending: Bool, in snapshot: Snapshot) {
    self.init(of: scan.index.id, descending: descending, in: snapshot)
  }

  /// Returns the objects that match, or may match.
  package func rows(of scan: SearchScan) throws -> SearchStream {
    let rows = try stream(scan.terms)
    guard let conversation = scan.conversation else { return rows }
    return try .all([messages(of: conversation), rows])
  }

  /// Returns those of the objects whose terms do not say whether they match; nil if there are none.
  package func doubtful(_ doubt: SearchScan.Doubt) throws -> SearchStream? {
    var streams: [SearchStream] = []
    if doubt.contains(.several) { streams.append(try several()) }
    if doubt.contains(.cut) { streams.append(try stream(.cutTerm)) }
    streams.removeAll { $0.row == SearchStream.end }
    return streams.isEmpty ? nil : try .any(streams)
  }
}
