internal import SatchelBytes

/// The definition of an index that an application has declared, and how far the store has got with it.
///
/// Predicate and key paths are texts of the predicate language, as a query prints them, so a definition has the same
/// meaning in every version that knows the language.
package struct DeclaredIndexEntry: Sendable, Hashable {
  /// What the index is: two declarations with the same definition are one.
  package struct Definition: Sendable, Hashable {
    /// The UTF-8 bytes of the name, as of an aggregate (`AggregateEntry.isName`).
    package var name: [UInt8]
    /// The kind of its objects: not parts.
    package var kind: AggregateEntry.Kind
    /// The predicate that objects must meet to have an entry, as UTF-8.
    package var predicate: [UInt8]
    /// By what the entries are ordered, first of all by the first: 1 to `maximumColumns`.
    package var columns: [Column]

    package init(name: [UInt8], kind: AggregateEntry.Kind, predicate: [UInt8], columns: [Column]) {
      self.name = name
      self.kind = kind
      self.predicate = predicate
      self.columns = columns
    }
  }

  /// A column of an index.
  package struct Column: Sendable, Hashable {
    /// The key path of the property, as UTF-8.
    package var path: [UInt8]
    /// Whether the greatest value comes first.
    package var descending: Bool
    /// Whether an object has an entry for each of its different values, not one for the first or for all.
    package var isOfElements: Bool

    package init(path: [UInt8], descending: Bool = false, isOfElements: Bool = false) {
      self.path = path
      self.descending = descending
      self.isOfElements = isOfElements
    }
  }

  /// What the entries of the index are good for.
  package enum State: Sendable, Hashable {
    /// All objects that meet the predicate have their entries.
    case complete
    /// Those before an object have, by its creation sequence or its row; others have none.
    case building(next: UInt64)
    /// The entries are being removed. Nothing asks for the index or keeps its entries.
    case leaving
  }

  /// The most columns of an index.
  package static let maximumColumns = 8

  package var definition: Definition
  package var state: State

  package init(_ definition: Definition, _ state: State) {
    self.definition = definition
    self.state = state
  }

  /// Whether it is being built.
  package var isBuilding: Bool { if case .building = state { true } else { false } }

  /// Whether an object has its entries, by its creation sequence or its row.
  package func holds(_ number: UInt64) -> Bool {
    switch state {
    case .complete: true
    case .building(let next): number < next
    case .leaving: false
    }
  }

  private static let isDescending: UInt8 = 1
  private static let isOfElements: UInt8 = 2

  private var stateNumber: UInt8 {
    switch state {
    case .complete: 0
    case .building: 1
    case .leaving: 2
    }
  }

  /// Returns the bytes of the record.
  package func encode(id: UInt32) -> [UInt8] {
    let paths = definition.columns.reduce(0) { $0 + $1.path.count + 3 }
    var writer = RecordFrame.writer(
      .declaredIndex, capacity: 32 + definition.name.count + definition.predicate.count + paths)
    writer.u8(definition.kind.rawValue)
    writer.u8(stateNumber)
    if case .building(let next) = state { writer.varint(next) }
    writer.counted(definition.name)
    writer.counted(definition.predicate)
    writer.u8(UInt8(truncatingIfNeeded: definition.columns.count))
    for column in definition.columns {
      writer.u8((column.descending ? Self.isDescending : 0) | (column.isOfElements ? Self.isOfElements : 0))
      writer.counted(column.path)
    }
    return RecordFrame.finish(&writer, key: ObjectKey.declaredIndex(id: id).bytes)
  }

  /// Reads and checks a record. Whether its texts are valid predicates and key paths is for the query layers to decide.
  package init(_ bytes: UnsafeRawBufferPointer, id: UInt32) throws(CodingError) {
    let key = ObjectKey.declaredIndex(id: id).bytes
    let body = unsafe try RecordFrame.open(bytes, .declaredIndex, key: key, minimum: 9)
    let span = unsafe body.bytes
    self = try RecordFrame.decode(.declaredIndex) { () throws(ByteError) in
      guard let kind = AggregateEntry.Kind(rawValue: span.u8(2)), kind != .parts else {
        throw ByteError(offset: 2)
      }
      var reader = ByteReader(offset: 4)
      let state: State
      switch span.u8(3) {
      case 0: state = .complete
      case 1: state = .building(next: try reader.varint(span))
      case 2: state = .leaving
      default: throw ByteError(offset: 3)
      }
      let name = span.extracting(try reader.counted(span)).array
      let predicate = span.extracting(try reader.counted(span)).array
      let count = try reader.u8(span)
      guard (1...Self.maximumColumns).contains(Int(count)) else { throw ByteError(offset: reader.offset) }
      var columns: [Column] = []
      for _ in 0..<count {
        let flags = try reader.u8(span)
        guard flags & ~(Self.isDescending | Self.isOfElements) == 0 else {
          throw ByteError(offset: reader.offset)
        }
        columns.append(
          Column(
            path: span.extracting(try reader.counted(span)).array,
            descending: flags & Self.isDescending != 0, isOfElements: flags & Self.isOfElements != 0))
      }
      try reader.end(span)
      return DeclaredIndexEntry(
        Definition(name: name, kind: kind, predicate: predicate, columns: columns), state)
    }
    for text in [definition.name, definition.predicate] + definition.columns.map(\.path)
    where String(validating: text, as: UTF8.self) == nil {
      throw CodingError(.declaredIndex, .text)
    }
    guard AggregateEntry.isName(definition.name), definition.columns.count(where: \.isOfElements) <= 1 else {
      throw CodingError(.declaredIndex, .malformed, offset: 4)
    }
  }
}

extension DeclaredIndexEntry.Column {
  /// The column as it is printed: `sentAt`, `-metadata.priority`, `each metadata.tags`.
  package var spelled: String {
    (isOfElements ? "each " : "") + (descending ? "-" : "") + String(decoding: path, as: UTF8.self)
  }
}
