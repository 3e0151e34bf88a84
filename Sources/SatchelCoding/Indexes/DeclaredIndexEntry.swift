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
    /// The name of the type whose records the index has, as UTF-8; nil of other kinds.
    package var recordType: [UInt8]?
    /// The predicate that objects must meet to have an entry, as UTF-8.
    package var predicate: [UInt8]
    /// By what the entries are ordered, first of all by the first: 1 to `maximumColumns`.
    package var columns: [Column]
    /// Whether no two objects may have the same values in all columns.
    package var isUnique: Bool

    package init(
      name: [UInt8], kind: AggregateEntry.Kind, recordType: [UInt8]? = nil, predicate: [UInt8],
      columns: [Column], isUnique: Bool = false
    ) {
      self.name = name
      self.kind = kind
      self.recordType = recordType
      self.predicate = predicate
      self.columns = columns
      self.isUnique = isUnique
    }
  }

  /// Two objects that have the same values in all columns of a unique index, by the UTF-8 bytes of their identifiers.
  package struct Doubles: Sendable, Hashable {
    package let first: [UInt8]
    package let second: [UInt8]

    package init(first: [UInt8], second: [UInt8]) {
      self.first = first
      self.second = second
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
    /// Whether an object has entries for the terms of its texts. It is the only column then.
    package var isOfWords: Bool

    package init(
      path: [UInt8], descending: Bool = false, isOfElements: Bool = false, isOfWords: Bool = false
    ) {
      self.path = path
      self.descending = descending
      self.isOfElements = isOfElements
      self.isOfWords = isOfWords
    }

    /// The byte before the path.
    fileprivate var flags: UInt8 {
      (descending ? Self.isDescendingFlag : 0) | (isOfElements ? Self.isOfElementsFlag : 0)
        | (isOfWords ? Self.isOfWordsFlag : 0)
    }

    fileprivate static let isDescendingFlag: UInt8 = 1
    fileprivate static let isOfElementsFlag: UInt8 = 2
    fileprivate static let isOfWordsFlag: UInt8 = 4
  }

  /// What the entries of the index are good for.
  package enum State: Sendable, Hashable {
    /// All objects that meet the predicate have their entries.
    case complete
    /// Those before an object have, by its creation sequence or its row; others have none.
    case building(next: UInt64)
    /// The entries are being removed. Nothing asks for the index or keeps its entries.
    case leaving
    /// It is unique and was not built: `doubles` has why. It has no entries, and nothing asks for it or keeps any.
    case refused
  }

  /// The most columns of an index.
  package static let maximumColumns = 8
  /// A build goes on until it has found so many doubles, to tell them all.
  package static let maximumDoubles = 10

  package var definition: Definition
  package var state: State
  /// What the build of a unique index has found so far: at most `maximumDoubles`. Empty once it is complete.
  package var doubles: [Doubles]

  package init(_ definition: Definition, _ state: State, doubles: [Doubles] = []) {
    self.definition = definition
    self.state = state
    self.doubles = doubles
  }

  /// Whether it is being built.
  package var isBuilding: Bool { state.isBuilding }

  /// Whether an object has its entries, by its creation sequence or its row.
  package func holds(_ number: UInt64) -> Bool {
    switch state {
    case .complete: true
    case .building(let next): number < next
    case .leaving, .refused: false
    }
  }

  private static let isUnique: UInt8 = 1

  /// The version of a record, which is the least that has what there is to say.
  private static let (plainVersion, uniqueVersion, wordsVersion): (UInt8, UInt8, UInt8) = (1, 2, 3)

  private var stateNumber: UInt8 {
    switch state {
    case .complete: 0
    case .building: 1
    case .leaving: 2
    case .refused: 3
    }
  }

  /// Returns the bytes of the record.
  package func encode(id: UInt32) -> [UInt8] {
    let paths = definition.columns.reduce(0) { $0 + $1.path.count + 3 }
    let version =
      definition.isOfWords
      ? Self.wordsVersion : definition.isUnique ? Self.uniqueVersion : Self.plainVersion
    var writer = RecordFrame.writer(
      .declaredIndex, version: version,
      capacity: 32 + definition.name.count + definition.predicate.count + paths)
    writer.u8(definition.kind.rawValue)
    writer.u8(stateNumber)
    if case .building(let next) = state { writer.varint(next) }
    if definition.kind == .records { writer.counted(definition.recordType ?? []) }
    writer.counted(definition.name)
    writer.counted(definition.predicate)
    writer.u8(UInt8(truncatingIfNeeded: definition.columns.count))
    for column in definition.columns {
      writer.u8(column.flags)
      writer.counted(column.path)
    }
    if version == Self.uniqueVersion {
      writer.u8(Self.isUnique)
      writer.u8(UInt8(truncatingIfNeeded: doubles.count))
      for pair in doubles {
        writer.counted(pair.first)
        writer.counted(pair.second)
      }
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
      let version = span.u8(1)
      var reader = ByteReader(offset: 4)
      let state: State
      switch span.u8(3) {
      case 0: state = .complete
      case 1: state = .building(next: try reader.varint(span))
      case 2: state = .leaving
      case 3 where version == Self.uniqueVersion: state = .refused
      default: throw ByteError(offset: 3)
      }
      let recordType = kind == .records ? span.extracting(try reader.counted(span)).array : nil
      let name = span.extracting(try reader.counted(span)).array
      let predicate = span.extracting(try reader.counted(span)).array
      let count = try reader.u8(span)
      let isOfWords = version == Self.wordsVersion
      guard (1...(isOfWords ? 1 : Self.maximumColumns)).contains(Int(count)) else {
        throw ByteError(offset: reader.offset)
      }
      var columns: [Column] = []
      for _ in 0..<count {
        let flags = try reader.u8(span)
        let ofOthers = Column.isDescendingFlag | Column.isOfElementsFlag
        guard isOfWords ? flags == Column.isOfWordsFlag : flags & ~ofOthers == 0 else {
          throw ByteError(offset: reader.offset)
        }
        columns.append(
          Column(
            path: span.extracting(try reader.counted(span)).array,
            descending: flags & Column.isDescendingFlag != 0,
            isOfElements: flags & Column.isOfElementsFlag != 0, isOfWords: isOfWords))
      }
      var doubles: [Doubles] = []
      let isUnique = version == Self.uniqueVersion
      if isUnique {
        guard try reader.u8(span) == Self.isUnique else { throw ByteError(offset: reader.offset) }
        let count = try reader.u8(span)
        guard Int(count) <= Self.maximumDoubles, (count == 0) == (state != .refused) || state.isBuilding
        else {
          throw ByteError(offset: reader.offset)
        }
        for _ in 0..<count {
          let first = span.extracting(try reader.counted(span)).array
          doubles.append(Doubles(first: first, second: span.extracting(try reader.counted(span)).array))
        }
      }
      try reader.end(span)
      return DeclaredIndexEntry(
        Definition(
          name: name, kind: kind, recordType: recordType, predicate: predicate, columns: columns,
          isUnique: isUnique), state, doubles: doubles)
    }
    for text in [definition.name, definition.recordType ?? [], definition.predicate]
      + definition.columns.map(\.path)
      + doubles.flatMap({ [$0.first, $0.second] })
    where String(validating: text, as: UTF8.self) == nil {
      throw CodingError(.declaredIndex, .text)
    }
    guard AggregateEntry.isName(definition.name), AggregateEntry.isRecordType(definition.recordType),
      definition.columns.count(where: \.isOfElements) <= 1
    else {
      throw CodingError(.declaredIndex, .malformed, offset: 4)
    }
  }
}

extension DeclaredIndexEntry.Definition {
  /// Whether its entries are the terms of texts: it has that one column, and is not unique.
  package var isOfWords: Bool { columns.contains(where: \.isOfWords) }
}

extension DeclaredIndexEntry.State {
  /// Whether the index is being built.
  package var isBuilding: Bool { if case .building = self { true } else { false } }

  /// Whether writes keep the entries that it has.
  package var isKept: Bool { self == .complete || isBuilding }

  /// Whether it is to get entries, or to lose them, beside later commits.
  package var isChanging: Bool { self == .leaving || isBuilding }
}

extension DeclaredIndexEntry.Column {
  /// The column as it is printed: `sentAt`, `-metadata.priority`, `each metadata.tags`, `words parts.text`.
  package var spelled: String {
    (isOfWords ? "words " : "") + (isOfElements ? "each " : "") + (descending ? "-" : "")
      + String(decoding: path, as: UTF8.self)
  }
}
