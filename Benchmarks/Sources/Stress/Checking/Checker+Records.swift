import Satchel

extension Checker {
  /// One question about records: some that are there and some that are not, one alone, and how many there are of a type.
  func askForRecords(_ answers: Answers, _ random: inout Randomness) throws {
    let model = answers.model
    var names = (0..<1 + random.below(20)).compactMap { _ in random.any(of: model.records)?.name }
    names.append(RecordName(type: random.below(3), number: random.below(100)))
    let type = random.below(3)
    try store.read { snapshot in
      try Difference.check(
        "records \(names)", try snapshot.records(names.map(Names.record)).map { Description.of($0) },
        names.compactMap { model.record($0) }.map { Description.of(model.records[$0]) })
      for name in names.suffix(2) {
        try Difference.check(
          "record \(name)", try snapshot.record(Names.record(name)).map { Description.of($0) } ?? "none",
          model.record(name).map { Description.of(model.records[$0]) } ?? "none")
      }
      try checkCount(ofType: type, model, snapshot)
    }
  }

  /// All records, their number by type, and the types.
  func allRecords(_ model: Model, _ snapshot: StoreSnapshot) throws {
    try Difference.check(
      "record types", try snapshot.types().map(\.type).filter { !$0.name.hasPrefix("_") }.map(\.description),
      model.stage > 0 ? RecordTypes.at(model.stage).map(\.description) : [])
    for type in 0..<3 { try checkCount(ofType: type, model, snapshot) }
    try Difference.check(
      "all records",
      try snapshot.records(model.records.map { Names.record($0.name) }).map { Description.of($0) },
      model.records.map { Description.of($0) })
  }

  private func checkCount(ofType type: Int, _ model: Model, _ snapshot: StoreSnapshot) throws {
    let name = RecordTypes.name(type)
    try Difference.check(
      "number of records of \(name)", String(try snapshot.recordCount(of: RecordType(name))),
      String(model.records.count { $0.name.type == type }))
  }
}
