internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelReading

/// Checks the indexes that applications have declared, if the program can evaluate their predicates.
extension Verifier {
  /// Finds out which entries there are to be: of the indexes that cannot be evaluated, or whose entries are being removed, as many as there
  /// are. So of those whose definitions cannot be read, which are reported with the other records.
  mutating func prepareDeclared() throws {
    try scanObjects(from: .declaredIndex(id: 0)) { verifier, key, value in
      guard case .declaredIndex(let id) = key else { return }
      let checksum = unsafe RecordFrame.storedChecksum(value)
      if let entry = unsafe try? DeclaredIndexEntry(value, id: id) {
        // A damaged definition of a type is reported with the other records.
        let kind = try? IndexedKind(of: entry.definition, in: verifier.snapshot)
        let record = DeclaredIndexRecord(id: id, entry: entry, of: kind, checksum: checksum)
        if try verifier.prepare(record) { return }
      }
      verifier.expected[IndexCatalog.declaredEntries.number, default: 0] +=
        try verifier.snapshot.entries(ofDeclared: id)
    }
  }

  /// Returns whether the entries of an index can be checked.
  private mutating func prepare(_ record: DeclaredIndexRecord) throws -> Bool {
    guard record.entry.state != .leaving, let evaluator = snapshot.aggregateEvaluator else { return false }
    guard record.kind != nil else {
      report.add("declaredIndexes", record.name, "the definition of its record type is missing")
      return false
    }
    do {
      declared.append((record, try evaluator.entries(of: record.definition, in: snapshot)))
      return true
    } catch let error as SatchelError {
      report.add("declaredIndexes", record.name, "it cannot be evaluated: \(error)")
      return false
    }
  }

  /// Adds to `changes` the entries that an object that the store's user can see is to have.
  mutating func addDeclared(_ object: ObjectRow) throws {
    let kind = IndexedKind(object)
    for (record, entries) in declared where record.kind == kind && record.entry.holds(object.number) {
      let keys = try entries.keys(of: object, in: record.id)
      for key in keys { changes.insert(IndexCatalog.declaredEntries.tree, key) }
      wordTotals.change(record.id, from: [], to: keys)
      guard record.definition.isUnique, record.entry.state == .complete else { continue }
      for text in try entries.claims(of: object) {
        let key = TextKey(declared: record.id, text, object)
        guard let other = try snapshot.object(sharing: key, of: kind), other.number < object.number else {
          continue
        }
        let pair = try snapshot.doubles(other, object)
        report.addDerived("declaredIndexes", record.name, record.conflict(of: pair).description)
      }
    }
  }

  /// Checks the sums of the lengths of indexes of words, when all objects have been read.
  mutating func checkWordTotals() throws {
    for (record, _) in declared {
      guard let key = wordTotals.entry(of: record.id) else { continue }
      changes.insert(IndexCatalog.declaredEntries.tree, key)
      try expectEntries(of: "declaredIndexes", "\(record.name), the sum of the lengths")
    }
  }

  /// Checks a definition.
  mutating func check(declared id: UInt32, _ entry: DeclaredIndexEntry) {
    let others = declaredNames[entry.definition.name, default: []]
    declaredNames[entry.definition.name] = others + [entry.state]
    // Beside a complete one, another of its name may be being built.
    if entry.state == .complete, others.contains(.complete) {
      report.add("declaredIndexes", "\(id)", "another one has its name")
    }
  }
}
