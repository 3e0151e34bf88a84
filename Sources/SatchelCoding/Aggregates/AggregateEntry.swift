internal import SatchelBytes
internal import SatchelModel

/// The definition of an aggregate: which objects are counted, what they are grouped by, and what is measured of them.
///
/// Predicate and key paths are texts of the predicate language, as a query prints them, so a definition has the same
/// meaning in every version that knows the language.
package struct AggregateEntry: Sendable, Hashable {
  /// The kinds of objects, by their number in the file.
  package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    case conversations = 0
    case messages = 1
    case parts = 2
    case announcements = 3
    case identities = 4
    case records = 5
  }

  /// What a group comes to, by its flag in the record.
  package enum Measure: UInt8, Sendable, Hashable, CaseIterable {
    /// The number of objects.
    case count = 0
    /// The sum of whole numbers that objects have one of. It wraps around.
    case sum = 2
    /// The exact sum of the numbers among the values at a key path of metadata.
    case exactSum = 4
    /// The least value.
    case minimum = 8
    /// The greatest value.
    case maximum = 16

    /// True if a group has one entry in `aggregate.totals`; otherwise it has one for each `AggregateEntryText.Part`.
    package var hasOneEntry: Bool { self == .count || self == .sum }
  }

  /// The greatest size of a name, in bytes.
  package static let maximumNameBytes = 256

  /// The UTF-8 bytes of the name: 1 to `maximumNameBytes`, without NUL.
  package var name: [UInt8]
  package var kind: Kind
  /// The name of the type whose records are counted, as UTF-8; nil of other kinds.
  package var recordType: [UInt8]?
  /// The predicate that objects must meet to be counted, as UTF-8.
  package var predicate: [UInt8]
  /// The key path of the property that the objects are grouped by, as UTF-8; nil for a single group of all objects.
  package var group: [UInt8]?
  /// What each group comes to.
  package var measure: Measure
  /// The key path of the property that is measured, as UTF-8; nil only for `count`.
  package var property: [UInt8]?

  package init(
    name: [UInt8], kind: Kind, recordType: [UInt8]? = nil, predicate: [UInt8], group: [UInt8]? = nil,
    measure: Measure = .count, of property: [UInt8]? = nil
  ) {
    self.name = name
    self.kind = kind
    self.recordType = recordType
    self.predicate = predicate
    self.group = group
    self.measure = measure
    self.property = property
  }

  /// Returns whether bytes can be a name.
  package static func isName(_ bytes: [UInt8]) -> Bool {
    (1...maximumNameBytes).contains(bytes.count) && !bytes.contains(0)
  }

  /// Returns whether bytes can be the name of the type of a definition: none of another kind than records.
  static func isRecordType(_ name: [UInt8]?) -> Bool {
    name.map { Reference.isRecordType(String(decoding: $0, as: UTF8.self)) } ?? true
  }

  private static let isGrouped: UInt8 = 1

  /// Returns the bytes of the record.
  package func encode(id: UInt32) -> [UInt8] {
    var writer = RecordFrame.writer(.aggregate, capacity: 24 + name.count + predicate.count)
    writer.u8(kind.rawValue)
    writer.u8((group == nil ? 0 : Self.isGrouped) | measure.rawValue)
    if kind == .records { writer.counted(recordType ?? []) }
    writer.counted(name)
    writer.counted(predicate)
    if let group { writer.counted(group) }
    if measure != .count { writer.counted(property ?? []) }
    return RecordFrame.finish(&writer, key: ObjectKey.aggregate(id: id).bytes)
  }

  /// Reads and checks a record. Whether its texts are valid predicates and key paths is for the query layers to decide.
  package init(_ bytes: UnsafeRawBufferPointer, id: UInt32) throws(CodingError) {
    let key = ObjectKey.aggregate(id: id).bytes
    let body = unsafe try RecordFrame.open(bytes, .aggregate, key: key, minimum: 6)
    let span = unsafe body.bytes
    let (kind, flags) = (Kind(rawValue: span.u8(2)), span.u8(3))
    guard let kind, let measure = Measure(rawValue: flags & ~Self.isGrouped) else {
      throw CodingError(.aggregate, .malformed, offset: 2)
    }
    self = try RecordFrame.decode(.aggregate) { () throws(ByteError) in
      var reader = ByteReader(offset: 4)
      let recordType = kind == .records ? span.extracting(try reader.counted(span)).array : nil
      let entry = AggregateEntry(
        name: span.extracting(try reader.counted(span)).array, kind: kind, recordType: recordType,
        predicate: span.extracting(try reader.counted(span)).array,
        group: flags & Self.isGrouped == 0 ? nil : span.extracting(try reader.counted(span)).array,
        measure: measure,
        of: measure == .count ? nil : span.extracting(try reader.counted(span)).array)
      try reader.end(span)
      return entry
    }
    for text in [name, recordType ?? [], predicate, group ?? [], property ?? []]
    where String(validating: text, as: UTF8.self) == nil {
      throw CodingError(.aggregate, .text)
    }
    guard Self.isName(name), Self.isRecordType(recordType) else {
      throw CodingError(.aggregate, .malformed, offset: 4)
    }
  }
}
