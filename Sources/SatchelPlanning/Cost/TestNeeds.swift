package import SatchelIndexing
package import SatchelModel
package import SatchelQuery

/// What has to be read, in addition to the index entry, to test a condition on a row.
package enum TestNeeds: Int, Comparable, Sendable {
  /// Nothing: the columns of the index suffice.
  case columns
  /// The object's record, or the record of a related object.
  case record
  /// The content of parts, which may be kept outside the record.
  case body

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Finds what reading a property needs: of parts and participants always a record.
  private init(reading property: ObjectProperty, of kind: ObjectKind, on index: IndexDefinition?) {
    if case .text = property.field { self = .body; return }
    guard let index, !property.isToMany, property.type != .participants,
      let segment = Segment(property, of: kind), index.column(of: segment) != nil
    else {
      self = .record
      return
    }
    switch segment {
    case .optional, .position, .partIndex, .sender, .user, .mimeType: self = .columns
    default: self = .record
    }
  }

  /// Finds what a condition needs on rows that come with an index's columns. Without an index, every test needs at
  /// least the record.
  package init(_ condition: Condition, of kind: ObjectKind, on index: IndexDefinition?) {
    switch condition {
    case .always, .never: self = .columns
    case .all(let conditions), .any(let conditions):
      self = conditions.reduce(.columns) { max($0, TestNeeds($1, of: kind, on: index)) }
    case .elements: self = condition.tests.contains { $0.property.field == .text } ? .body : .record
    case .test(let test):
      let property = test.property
      if case .text = property.field { self = .body; return }
      guard let index else { self = .record; return }
      if property == index.holds.restriction?.property {
        self = .columns
      } else if let segment = Segment(property, of: kind), index.column(of: segment) != nil {
        self = .columns
      } else {
        self = .record
      }
    case .pair(let pair):
      self = pair.properties.reduce(.columns) { max($0, TestNeeds(reading: $1, of: kind, on: index)) }
    }
  }
}
