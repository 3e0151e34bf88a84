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
      if let place = record(new.name) {
        records[place].owner = new.owner ?? records[place].owner
        records[place].fields = new.fields
      } else {
        records.append(Record(name: new.name, owner: new.owner ?? 0, fields: new.fields))
      }
    case .setField(let value, let field, let name):
      if let place = record(name) { records[place].fields[field] = value }
    case .setOwner(let owner, let name): if let place = record(name) { records[place].owner = owner }
    case .delete(let name): if let place = record(name) { records.remove(at: place) }
    }
  }
}
