internal import SatchelCoding

/// The definitions of aggregates and declared indexes that were found. What follows from them is made anew: totals and entries.
struct SalvagedDefinitions {
  enum Definition {
    case aggregate(AggregateEntry)
    case index(DeclaredIndexEntry.Definition)

    fileprivate var name: [UInt8] {
      switch self {
      case .aggregate(let entry): entry.name
      case .index(let definition): definition.name
      }
    }

    /// What a report calls it.
    var text: String {
      let kind = if case .aggregate = self { "aggregate" } else { "index" }
      return "\(kind) \(String(decoding: name, as: UTF8.self))"
    }
  }

  /// In the order of their declarations, one of each kind and name, and whether it was found in its table.
  private(set) var all: [(definition: Definition, isCertain: Bool)] = []

  init(_ view: SalvagedRecords.View) throws {
    var aggregates = SalvagedDefinitions()
    try view.forEachObject(from: .aggregate(id: 0)) { key, value, isCertain in
      guard case .aggregate(let id) = key else { return false }
      if let entry = unsafe try? AggregateEntry(value, id: id) {
        aggregates.add(.aggregate(entry), isCertain)
      }
      return true
    }
    var indexes = SalvagedDefinitions()
    try view.forEachObject(from: .declaredIndex(id: 0)) { key, value, isCertain in
      guard case .declaredIndex(let id) = key else { return false }
      if let entry = unsafe try? DeclaredIndexEntry(value, id: id), entry.state.isKept {
        indexes.add(.index(entry.definition), isCertain)
      }
      return true
    }
    all = aggregates.all + indexes.all
  }

  private init() {}

  /// Adds a definition that was declared after those before it. Of one name the last counts, which replaces the others, but none that may
  /// be older takes the place of one that is not.
  private mutating func add(_ definition: Definition, _ isCertain: Bool) {
    if let place = all.firstIndex(where: { $0.definition.name == definition.name }) {
      guard isCertain || !all[place].isCertain else { return }
      all.remove(at: place)
    }
    all.append((definition, isCertain))
  }
}
