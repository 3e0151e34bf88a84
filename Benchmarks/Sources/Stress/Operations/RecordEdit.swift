/// What an edit does to records of the application's own types, or to these types.
enum RecordEdit: Codable, Hashable {
  /// Declares all types as they are at a stage: `RecordTypes.at`.
  case declare(stage: Int)
  case save(NewRecord)
  case setField(FieldValue?, field: String, record: RecordName)
  case setOwner(Int, record: RecordName)
  case delete(RecordName)
}

/// What names a record: the place of its type among all, and a number.
struct RecordName: Codable, Hashable {
  var type: Int
  var number: Int
}

/// A record that is to be saved, in place of one of its name.
struct NewRecord: Codable, Hashable {
  var name: RecordName
  /// A user; nil for the one that it has.
  var owner: Int?
  var fields: [String: FieldValue] = [:]
}

/// The value of a field.
indirect enum FieldValue: Codable, Hashable {
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case date(Int64)
  case texts([String])
  case record(RecordName)
  case message(Int)
  case dictionary([String: FieldValue])
}
