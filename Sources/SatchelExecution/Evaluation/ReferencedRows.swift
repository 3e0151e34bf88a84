import SatchelBytes
import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Finds the objects that the records of one type refer to by a field, or what conversations are to the store's user, and remembers what has
/// been made of each: one look-up a distinct reference.
final class ReferencedRows<Value> {
  private let step: ReferenceStep
  private let snapshot: Snapshot
  private let field: [[UInt8]]
  private let prefix: [UInt8]
  /// The property that names the user whose identity it is; nil of references.
  private let user: ObjectField?
  private let type: Lazily<UInt32?>
  private let missing: Value
  private let make: (RowReference) throws -> Value
  private var known: [HashedBytes: Value] = [:]
  /// The same of what conversations are to the store's user, by the rows of the conversations.
  private var knownOwn: [UInt64: Value] = [:]
  /// The number of the write's changes that `known` belongs to; 0 in a read.
  private var changes = 0

  /// So many are remembered at a time.
  private static var most: Int { 1 << 16 }

  /// - Parameters:
  ///   - missing: What stands for an object that is not there.
  ///   - make: What is made of one that is.
  init(
    _ step: ReferenceStep, in snapshot: Snapshot, missing: Value,
    _ make: @escaping (RowReference) throws -> Value
  ) {
    self.step = step
    self.snapshot = snapshot
    self.missing = missing
    self.make = make
    field = [Array(step.field.utf8)]
    prefix = Array(step.target.utf8) + [0]
    user = step.user?.field
    type = Lazily { try snapshot.recordType(named: step.target)?.id }
  }

  /// Returns what has been made of the object that a row refers to.
  func value(for row: inout RowContext) throws -> Value {
    // A change may make another value of the object, and end the memory of what was made of it.
    if changes != snapshot.changes {
      known.removeAll(keepingCapacity: true)
      knownOwn.removeAll(keepingCapacity: true)
      changes = snapshot.changes
    }
    if step.isOwnState { return try ownValue(for: &row) }
    guard let bytes = try reference(of: &row) else { return missing }
    let key = HashedBytes(bytes)
    if let value = known[key] { return value }
    let value = try find(key.bytes).map(make) ?? missing
    if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
    known[key] = value
    return value
  }

  private func ownValue(for row: inout RowContext) throws -> Value {
    let conversation = row.reference.sequence
    if let value = knownOwn[conversation] { return value }
    let value = try ownRecord(&row).map(make) ?? missing
    if knownOwn.count >= Self.most { knownOwn.removeAll(keepingCapacity: true) }
    knownOwn[conversation] = value
    return value
  }

  private func ownRecord(_ row: inout RowContext) throws -> RowReference? {
    guard let type = try type.value else { return nil }
    let number = UInt32(truncatingIfNeeded: row.reference.sequence)
    return try snapshot.ownParticipation(in: number, ofType: type) { try row.conversation(snapshot) }
      .map(RowReference.init)
  }

  private func record(named name: [UInt8]) throws -> RowReference? {
    guard let type = try type.value else { return nil }
    return try snapshot.locateRecord(ofType: type, name).map(RowReference.init)
  }

  private func reference(of row: inout RowContext) throws -> [UInt8]? {
    if let user {
      let record = try row.record(snapshot)
      let number =
        switch user {
        case .createdBy: record.createdBy
        case .updatedBy: record.updatedBy
        default: record.owner
        }
      return try prefix + snapshot.users.utf8(number)
    }
    guard case .reference(let bytes)? = try row.record(snapshot).fields.value(at: field) else { return nil }
    return unsafe Array(bytes)
  }

  /// Returns the object that a reference names; nil if there is none of the wanted type that the store's user can see.
  private func find(_ key: [UInt8]) throws -> RowReference? {
    guard key.starts(with: prefix) else { return nil }
    let name = key.dropFirst(prefix.count)
    if step.kind == .records { return try record(named: Array(name)) }
    guard let row = try snapshot.locate(String(decoding: name, as: UTF8.self), step.kind),
      try snapshot.shows(row, step.kind)
    else { return nil }
    return row
  }
}
