internal import RankedIndex
internal import RankedKeys
internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelRecords
import SatchelText

extension Snapshot {
  /// Returns the declared record types, by ascending number. There are few, and they are decoded only if their table is another one than
  /// the store has met last.
  package func recordTypes() throws -> [DeclaredRecordType] { try declaredTypes().all }

  private func declaredTypes() throws -> DeclaredRecordTypes {
    if let knownRecordTypes { return knownRecordTypes }
    let table = seal[.recordTypes]
    var found = DeclaredRecordTypes()
    if table.count > 0 {
      found =
        try memory?.recordTypes(of: table, else: readRecordTypes)
        ?? cache.recordTypes(of: table, else: readRecordTypes)
    }
    knownRecordTypes = found
    return found
  }

  private func readRecordTypes() throws -> DeclaredRecordTypes {
    var found = DeclaredRecordTypes()
    try scanObjects(from: .recordType(id: 0)) { key, value in
      guard case .recordType(let id) = key else { return false }
      let entry = try decoding("recordTypes", "\(id)") { () throws(CodingError) in
        unsafe try RecordTypeEntry(value, id: id)
      }
      metrics.recordTypesRead &+= 1
      found.put(
        DeclaredRecordType(id: id, type: entry.type, checksum: unsafe RecordFrame.storedChecksum(value)))
      return true
    }
    return found
  }

  /// Takes note of a type that the write has declared. Nothing is read again: an import may declare thousands of types, each in a line of its
  /// own.
  /// - Complexity: O(1), but O(types) for the first one.
  package func note(_ declared: DeclaredRecordType) {
    knownRecordTypes?.put(declared)
    knownReferred = [:]
  }

  /// Checks that the indexes and aggregates that are declared of some types mean the same with other definitions of these: a path in them that
  /// goes into a dictionary must not become one through a reference.
  /// - Parameters:
  ///   - changed: The types that are to have other definitions.
  ///   - makeEvaluator: Gives what evaluates them, which is asked for only if there are some.
  /// - Throws: ``SatchelError`` `recordTypeDiffers`, which names the index or the aggregate and the path.
  package func checkDeclared(
    of changed: [DeclaredRecordType], by makeEvaluator: () throws -> any AggregateEvaluator
  ) throws {
    let names = Set(changed.map { Array($0.type.name.utf8) })
    let indexes = try declaredIndexes().filter { index in
      index.entry.state.isKept && (index.definition.recordType.map(names.contains) ?? false)
    }
    let aggregates = try aggregates().filter { $0.entry.recordType.map(names.contains) ?? false }
    guard !indexes.isEmpty || !aggregates.isEmpty else { return }
    let evaluator = try makeEvaluator()
    let types = try declaredTypes()
    defer { knownRecordTypes = types }
    for declared in changed { knownRecordTypes?.put(declared) }
    func check(_ name: [String: String], _ body: () throws -> Void) throws {
      do { try body() } catch let error as SatchelError {
        throw SatchelError(
          .recordTypeDiffers,
          "A field cannot become a reference while a path through it is in a declared index or aggregate: drop that first",
          error.context.merging(name) { $1 })
      }
    }
    for index in indexes {
      try check(["index": index.name]) { try evaluator.check(index.definition, in: self) }
    }
    for aggregate in aggregates {
      try check(["aggregate": aggregate.name]) { try evaluator.check(aggregate.entry, in: self) }
    }
  }

  /// Returns the record type with a name; nil if none is declared.
  package func recordType(named name: String) throws -> DeclaredRecordType? {
    try declaredTypes().named(name)
  }

  /// Returns the record type with a number, to which a record belongs.
  package func recordType(_ id: UInt32) throws -> DeclaredRecordType {
    guard let type = try declaredTypes().numbered(id) else {
      throw RecordError("recordTypes", "\(id)", "a record is of this type, and it is missing")
    }
    return type
  }

  /// Returns the record type that an operation is about.
  /// - Throws: ``SatchelError`` `unknownRecordType`, with those that are declared, if any are; of one of the library's, with the call that
  ///   switches it on.
  package func existingRecordType(_ name: String) throws -> DeclaredRecordType {
    if let type = try recordType(named: name) { return type }
    if let feature = StoreFeature(recordType: name) { throw feature.offError }
    let declared = try recordTypes().map(\.type.name).sorted(by: UTF8Order.isLess)
    var context = ["recordType": name]
    if !declared.isEmpty { context["declared"] = declared.joined(separator: " ") }
    throw SatchelError(
      .unknownRecordType, "No record type of that name is declared in the store", context)
  }

  /// Returns how many records of a type there are.
  /// - Complexity: O(log n).
  package func recordCount(ofType id: UInt32) throws -> Int {
    try forest.count(IndexCatalog.recordCreated.tree, in: .prefix(Words(UInt64(id)), columns: 1))
  }

  /// Checks that the records of a type have values of the right types in fields that are to be declared.
  /// - Complexity: O(records of the type), if there are such fields.
  /// - Throws: ``SatchelError`` `recordTypeDiffers`, which names the first record that has another value, and the field.
  package func check(_ fields: [RecordType.Field], ofType declared: DeclaredRecordType) throws {
    guard !fields.isEmpty else { return }
    let keys = fields.map { Array($0.name.utf8) }
    try forEachRecord(ofType: declared.id) { view in
      for (field, key) in zip(fields, keys) {
        guard let value = try value(of: key, in: view), !field.type.accepts(value) else { continue }
        throw SatchelError(
          .recordTypeDiffers, "A record has a value of another type in a field that is to be declared",
          [
            "recordType": declared.type.name, "field": field.name, "record": try identifier(of: view),
            "expected": field.type.description, "found": value.nameOfType, "value": value.description,
          ])
      }
      return true
    }
  }
}
