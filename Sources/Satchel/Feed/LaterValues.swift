import SatchelCoding

/// What the log keeps a value of: a property, or the text at a metadata key path.
enum LoggedField: Hashable {
  case property(LoggedProperty)
  case metadata(UInt32)
}

/// What later entries of the log say of objects as they were at a commit.
///
/// The value after a change is not in the log. It is the value before the next change of the field in a later entry; else
/// what the object had when it was deleted; else what it has now. A change that was not listed leaves only the first.
struct LaterValues {
  private struct Object {
    var values: [LoggedField: LoggedValue] = [:]
    var others = Others.current
  }

  /// Where the fields are whose values no later entry has.
  private enum Others {
    /// In the object's record.
    case current
    /// Nowhere: the object was deleted without them.
    case missing
    /// Nobody knows: a bulk change comes in between.
    case unknown
  }

  /// A value, or where to look for it.
  enum Answer {
    case value(LoggedValue)
    case current
  }

  private var objects: [ObjectRow: Object]
  private var identifiers: [ObjectRow: [UInt8]] = [:]

  /// Values of the objects that entries name.
  init(of entries: [(commit: UInt64, entry: ChangeLogEntry)]) {
    objects = [:]
    for (_, entry) in entries {
      for change in entry.changes {
        objects[change.object] = Object()
        noteIdentifier(change)
      }
    }
  }

  /// The value that a field has at the commit whose later ones have been taken in.
  func value(of field: LoggedField, _ object: ObjectRow) -> Answer {
    guard let later = objects[object] else { return .current }
    if let value = later.values[field] { return .value(value) }
    switch later.others {
    case .current: return .current
    case .missing: return .value(field.isKept ? .missing : .long)
    case .unknown: return .value(.long)
    }
  }

  /// The identifier that a deleted object left in the log.
  func identifier(of object: ObjectRow) -> [UInt8]? { identifiers[object] }

  /// Takes in an entry that comes after all those taken in so far.
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

  /// Takes in an entry that comes before all those taken in so far.
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

  private mutating func noteIdentifier(_ change: SatchelCoding.ObjectChange) {
    guard change.action == .deleted, case .text(let identifier)? = change.before(.identifier) else { return }
    identifiers[change.object] = identifier
  }
}

extension LoggedField {
  /// Whether the log has values of the field.
  var isKept: Bool {
    switch self {
    case .property(.recipientStatus), .property(.parts), .property(.metadata): false
    default: true
    }
  }
}

extension SatchelCoding.ObjectChange {
  /// The fields whose values before the change are known.
  fileprivate var fields: [(LoggedField, LoggedValue)] {
    before.map { (.property($0.property), $0.value) } + metadata.map { (.metadata($0.path), $0.before) }
  }
}

extension RangeChange {
  /// Whether an object can be among those that the range stands for.
  fileprivate func mayCover(_ object: ObjectRow) -> Bool {
    guard case .message(let key) = object else {
      if case .importNumber = scope { return true }
      return false
    }
    if case .conversation(let row) = scope, row != key.conversation { return false }
    return sequences.contains(key.sequence)
  }
}
