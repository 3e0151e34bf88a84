internal import SatchelCoding
internal import SatchelModel

/// A field whose values the log keeps: a property, the value at a metadata key path, or the status of a recipient, as a number.
enum LoggedField: Hashable {
  case property(LoggedProperty)
  case metadata(UInt32)
  case recipient(UInt32)
}

/// The values that objects had at a commit, worked out from the later entries of the log.
///
/// An entry holds the value before a change, not the value after it. The value after a change is the value before the
/// next change of the field in a later entry; if there is none, the value that the object had when it was deleted; if
/// it was not deleted, the value that it has now. If a change in between was not listed one by one, only the first of
/// these is known.
struct LaterValues {
  private struct Object {
    var values: [LoggedField: LoggedValue] = [:]
    var others = Others.current
  }

  /// Where the values of the fields are that no later entry has.
  private enum Others {
    /// In the object's record.
    case current
    /// The object was deleted and had no value.
    case missing
    /// Unknown, because a bulk change comes in between.
    case unknown
  }

  /// A value, or the information that the object's record still has it.
  enum Answer {
    case value(LoggedValue)
    case current
  }

  private var objects: [ObjectRow: Object]
  private var identifiers: [ObjectRow: [UInt8]] = [:]

  /// Prepares for the objects that the entries name.
  init(of entries: [(commit: UInt64, entry: ChangeLogEntry)]) {
    objects = [:]
    for (_, entry) in entries {
      for change in entry.changes {
        objects[change.object] = Object()
        noteIdentifier(change)
      }
    }
  }

  /// Returns the value of a field right after the commit that precedes all entries added so far.
  func value(of field: LoggedField, _ object: ObjectRow) -> Answer {
    guard let later = objects[object] else { return .current }
    if let value = later.values[field] { return .value(value) }
    switch later.others {
    case .current: return .current
    case .missing: return .value(field.isKept ? .missing : .long)
    case .unknown: return .value(.long)
    }
  }

  /// Returns the identifier that the log keeps of a deleted object.
  func identifier(of object: ObjectRow) -> [UInt8]? { identifiers[object] }

  /// Adds an entry that comes after all entries added so far.
  mutating func append(_ entry: ChangeLogEntry) {
    for change in entry.changes {
      noteIdentifier(change)
      guard var object = objects[change.object], object.others == .current else { continue }
      for (field, value) in change.fields where object.values[field] == nil { object.values[field] = value }
      if change.action == .deleted { object.others = .missing }
      objects[change.object] = object
    }
    for range in entry.ranges {
      for object in objects.keys where objects[object]?.others == .current && range.mayCover(object) {
        objects[object]?.others = .unknown
      }
    }
  }

  /// Adds an entry that comes before all entries added so far.
  mutating func prepend(_ entry: ChangeLogEntry) {
    for range in entry.ranges {
      for object in objects.keys where range.mayCover(object) {
        objects[object] = Object(others: .unknown)
      }
    }
    for change in entry.changes {
      if change.action == .deleted { objects[change.object] = Object(others: .missing) }
      for (field, value) in change.fields { objects[change.object]?.values[field] = value }
    }
  }

  private mutating func noteIdentifier(_ change: LoggedChange) {
    guard change.action == .deleted, case .text(let identifier)? = change.before(.identifier) else { return }
    identifiers[change.object] = identifier
  }
}

extension LoggedField {
  /// Whether the log keeps values of the field.
  var isKept: Bool {
    switch self {
    case .property(.recipientStatus), .property(.parts), .property(.contents), .property(.metadata): false
    default: true
    }
  }
}

extension LoggedChange {
  /// The fields whose values before the change the entry keeps, with these values.
  fileprivate var fields: [(LoggedField, LoggedValue)] {
    before.map { (.property($0.property), $0.value) } + metadata.map { (.metadata($0.path), $0.before) }
      + recipients.map { (.recipient($0.user), LoggedValue($0.before.map { Int64($0.rawValue) })) }
  }
}

extension RangeChange {
  /// Whether the object may be one that the range stands for.
  fileprivate func mayCover(_ object: ObjectRow) -> Bool {
    guard case .message(let key) = object else {
      if case .importNumber = scope { return true }
      return false
    }
    if case .conversation(let row) = scope, row != key.conversation { return false }
    return sequences.contains(key.sequence)
  }
}
