import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Makes the entries that objects of one snapshot have in a declared index of values, with the evaluator and the readers of queries.
final class DeclaredEntries: IndexEntries {
  private let index: DeclaredIndex
  private let snapshot: Snapshot
  private let evaluator: ConditionEvaluator
  private let readers: [PropertyReader?]
  private let isOfElements: Bool

  init(_ index: DeclaredIndex, in snapshot: Snapshot) {
    self.index = index
    self.snapshot = snapshot
    evaluator = ConditionEvaluator(index.condition, of: index.kind, on: nil, in: snapshot)
    let make = PropertyReaders(snapshot: snapshot, kind: index.kind, index: nil)
    readers = index.columns.map { column in
      switch column.form {
      case .integer, .text, .custom: column.property.isToMany ? nil : make.reader(of: column.property)
      case .reference, .words: nil
      }
    }
    isOfElements = index.columns.contains(where: \.isOfElements)
  }

  func add(_ objects: [ObjectRow], of index: UInt32, to batch: inout TextBatch) throws {
    let group = DeclaredKey.group(of: index)
    var row = RowContext()
    var key = DeclaredKey()
    for object in objects {
      let reference = RowReference(object)
      if isOfElements {
        for text in try contents(of: object) {
          unsafe batch.append(group: group, text: text.span.bytes, row: reference.sequence)
        }
        continue
      }
      row.begin(reference)
      guard try evaluator.matches(&row) else { continue }
      key.removeAll()
      for (number, column) in self.index.columns.enumerated() {
        if let read = readers[number] {
          try read(&row).append(to: &key, column)
        } else {
          key.append(reference: try self.reference(column, &row), isInverted: column.isInverted)
        }
      }
      unsafe batch.append(group: group, text: key.bytes.span.bytes, row: reference.sequence)
    }
  }

  func contents(of object: ObjectRow) throws -> [[UInt8]] { try entries(of: object).map(\.bytes) }

  func keys(_ contents: [[UInt8]], of object: ObjectRow, in index: UInt32) -> [TextKey] {
    contents.map { TextKey(declared: index, $0, object) }
  }

  func claims(of object: ObjectRow) throws -> [[UInt8]] {
    try entries(of: object).lazy.filter { !$0.hasGap }.map(\.bytes)
  }

  private func entries(of object: ObjectRow) throws -> [DeclaredKey] {
    var row = RowContext()
    row.begin(RowReference(object))
    guard try evaluator.matches(&row) else { return [] }
    var keys = [DeclaredKey()]
    for (number, column) in index.columns.enumerated() {
      if column.isOfElements {
        let elements = try elements(number, column, &row)
        keys = elements.map { keys[0] + $0 }
      } else if let read = readers[number] {
        let value = try read(&row)
        for index in keys.indices { value.append(to: &keys[index], column) }
      } else {
        let reference = try reference(column, &row)
        for index in keys.indices { keys[index].append(reference: reference, isInverted: column.isInverted) }
      }
    }
    return keys
  }

  private func reference(_ column: DeclaredIndex.Column, _ row: inout RowContext) throws -> UInt32 {
    if case .reference(.conversation) = column.form { return row.reference.conversation }
    return index.kind == .announcements
      ? try row.announcement(snapshot).sender : try row.message(snapshot).sender
  }

  /// Returns what the entries have of each different value of a column, and what they have of none if there is none.
  private func elements(
    _ number: Int, _ column: DeclaredIndex.Column, _ row: inout RowContext
  ) throws -> [DeclaredKey] {
    var found: Set<DeclaredKey> = []
    func add(_ value: PropertyValue) {
      var key = DeclaredKey()
      value.append(to: &key, column)
      found.insert(key)
    }
    if let read = readers[number] {
      let value = try read(&row)
      add(value)
      if case .list(let list) = value {
        _ = unsafe list.contains { text in
          unsafe add(PropertyValue(text).canonical)
          return false
        }
      }
    } else {
      let message =
        index.kind == .announcements ? try row.announcement(snapshot) : try row.message(snapshot)
      var parts = message.makePartCursor()
      while let (part, _) = parts.next() {
        switch column.property.field {
        case .size: add(PropertyValue(part.size))
        case .transferStatus: add(.integer(Int64(part.transferStatus.rawValue)))
        default: add(.bytes(try snapshot.mimeTypes.utf8(part.mimeType)))
        }
      }
      if found.isEmpty { add(.missing) }
    }
    return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}

extension PropertyValue {
  /// Appends the value to an entry, as its column has it.
  fileprivate func append(to key: inout DeclaredKey, _ column: DeclaredIndex.Column) {
    let isInverted = column.isInverted
    switch self {
    case .missing: column.appendMissing(to: &key)
    case .integer(let number): key.append(integer: number, isInverted: isInverted)
    // What is in a record is no NaN.
    case .scalar(let scalar):
      guard let value = scalar.key else { return column.appendMissing(to: &key) }
      unsafe value.withBytes { unsafe key.append(tag: nil, $0, isInverted: isInverted) }
    case .list:
      unsafe ValueKey.list.withBytes { unsafe key.append(tag: nil, $0, isInverted: isInverted) }
      // All lists have the same bytes here; their texts are claims in a column of elements.
      key.hasGap = true
    case .reference(let bytes):
      unsafe key.append(
        tag: ValueKey.Tag.reference, bytes.assumingMemoryBound(to: UInt8.self), isInverted: isInverted)
    case .mapped, .bytes:
      _ = unsafe withBytes { unsafe key.append(tag: DeclaredKey.Tag.text, $0, isInverted: isInverted) }
    }
  }
}

extension SortValue {
  /// Appends the value to an entry, as a column has it whose property a question sorts by.
  func append(to key: inout DeclaredKey, _ column: DeclaredIndex.Column) {
    let isInverted = column.isInverted
    switch self {
    case .missing, .unsent: column.appendMissing(to: &key)
    case .integer(let number): key.append(integer: number, isInverted: isInverted)
    case .scalar(let value):
      unsafe value.withBytes { unsafe key.append(tag: nil, $0, isInverted: isInverted) }
    case .list: unsafe ValueKey.list.withBytes { unsafe key.append(tag: nil, $0, isInverted: isInverted) }
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBufferPointer {
        unsafe key.append(tag: DeclaredKey.Tag.text, $0, isInverted: isInverted)
      }
    case .reference(let bytes):
      unsafe bytes.withUnsafeBufferPointer {
        unsafe key.append(tag: ValueKey.Tag.reference, $0, isInverted: isInverted)
      }
    }
  }
}

extension RowReference {
  /// Refers to an object of a record.
  init(_ object: ObjectRow) {
    switch object {
    case .message(let key): self.init(sequence: key.sequence, conversation: key.conversation)
    case .conversation(let row), .identity(let row): self.init(sequence: UInt64(row))
    case .record(let key): self.init(sequence: key.sequence, conversation: key.type)
    }
  }
}
