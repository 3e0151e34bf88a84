internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelReading

/// Checks the indexes that applications have declared, if the program can evaluate their predicates.
extension Verifier {
  /// Finds out which entries there are to be: of the indexes that cannot be evaluated, or whose entries are being removed, as many as there
  /// are.
  mutating func prepareDeclared() throws {
    for record in try snapshot.declaredIndexes() {
      if record.entry.state != .leaving, let evaluator = snapshot.aggregateEvaluator {
        do {
          declared.append((record, try evaluator.entries(of: record.definition, in: snapshot)))
          continue
        } catch let error as SatchelError {
          report.add("declaredIndexes", record.name, "it cannot be evaluated: \(error)")
        }
      }
      expected[IndexCatalog.declaredEntries.number, default: 0] += try snapshot.entries(ofDeclared: record.id)
    }
  }

  /// Adds to `changes` the entries that an object that the store's user can see is to have.
  mutating func addDeclared(_ object: ObjectRow, _ kind: AggregateEntry.Kind, number: UInt64) throws {
    for (record, entries) in declared where record.definition.kind == kind && record.entry.holds(number) {
      for text in try entries.texts(of: object) {
        changes.insert(
          IndexCatalog.declaredEntries.tree,
          TextKey(group: DeclaredKey.group(of: record.id), text: text, row: number))
      }
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
