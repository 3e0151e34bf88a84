extension Model {
  struct Record {
    let name: RecordName
    var owner: Int
    var fields: [String: FieldValue]
  }

  /// Where a record is; nil if there is none of that name.
  func record(_ name: RecordName) -> Int? { records.firstIndex { $0.name == name } }

  /// Does to the model what the edit does to a store.
  mutating func apply(_ edit: RecordEdit) {
    switch edit {
    case .declare(let stage): self.stage = max(self.stage, stage)
    case .save(let new):
      removed.records.remove(new.name)
      if let place = record(new.name) {
        records[place].owner = new.owner ?? records[place].owner
        records[place].fields = new.fields
      } else {
        records.append(Record(name: new.name, owner: new.owner ?? 0, fields: new.fields))
      }
    case .setField(let value, let field, let name):
      if let place = record(name) { records[place].fields[field] = value }
    case .setOwner(let owner, let name): if let place = record(name) { records[place].owner = owner }
    case .delete(let name):
      if let place = record(name) { records.remove(at: place) }
      removed.records.insert(name)
    }
  }

  /// What the operation has deleted so far.
  struct Removed {
    var records: Set<RecordName> = []
    var messages: Set<Int> = []
  }

  /// Does all of an operation's edits, and what follows from them when it ends.
  mutating func apply(_ operation: Operation) {
    for edit in operation.edits { apply(edit) }
    settle()
  }

  /// Ends an operation: records go, or lose fields, with what their declared fields refer to.
  mutating func settle() {
    defer { removed = Removed() }
    settleResponses()
    var isGrowing = !removed.records.isEmpty
    while isGrowing {
      let gone = records.filter { record in
        record.fields.contains { field, value in
          RecordTypes.cascades(field, of: record.name.type, at: stage) && isRemoved(value)
        }
      }
      for record in gone { apply(.delete(record.name)) }
      isGrowing = !gone.isEmpty
    }
    for place in records.indices {
      for (field, value) in records[place].fields
      where RecordTypes.isNullified(field, of: records[place].name.type, at: stage) && isRemoved(value) {
        records[place].fields[field] = nil
      }
    }
  }

  private func isRemoved(_ value: FieldValue) -> Bool {
    switch value {
    case .record(let name): removed.records.contains(name)
    case .message(let number): removed.messages.contains(number)
    case .text, .integer, .number, .boolean, .date, .texts, .dictionary: false
    }
  }
}
