import SatchelIndexing

/// What `dump` can show, by the name that the command line takes.
enum DumpTable: String, CaseIterable {
  case header, seal, messages, conversations, identities, announcements, bodies, dictionaries, log, consumers,
    purge, staging, aggregates, nodes

  /// All names, those of the indexes behind those of the tables, for an error.
  static var names: String {
    (allCases.map(\.rawValue) + IndexCatalog.numeric.map(\.name) + IndexCatalog.text.map(\.name))
      .joined(separator: ", ")
  }
}
