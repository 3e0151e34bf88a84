import SatchelIndexing

/// What `dump` can show, by the names of the command line.
package enum DumpTable: String, CaseIterable {
  case header, seal, messages, conversations, identities, announcements, bodies, dictionaries, log, consumers,
    purge, staging, aggregates, deletions, indexBuild, indexes, recordTypes, records, nodes

  /// All names, first the tables, then the indexes; for an error.
  package static var names: String {
    (allCases.map(\.rawValue) + IndexCatalog.numeric.map(\.name) + IndexCatalog.text.map(\.name))
      .joined(separator: ", ")
  }
}
