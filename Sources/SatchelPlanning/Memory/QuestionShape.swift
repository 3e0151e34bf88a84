import SatchelModel
import SatchelQuery

/// A question without its values: the kind, the properties, the kinds of their tests, the order, and roughly the limit
/// and the offset. Questions of one shape have the same paths, with different counts.
///
/// The shape is encoded as bytes. Each element is preceded by its length or its number of elements, so that two
/// different shapes never have the same bytes.
package struct QuestionShape: Hashable, Sendable {
  private var bytes: [UInt8] = []

  /// - Parameter indexes: The declared indexes of the kind: another one may be a better path.
  package init(_ question: Question, _ indexes: [DeclaredIndex] = []) {
    bytes.reserveCapacity(128)
    append(question.kind)
    append(count: Int(question.recordType))
    bytes.append(question.isCount ? 1 : 0)
    append(magnitude: question.limit)
    append(magnitude: question.offset)
    bytes.append(question.creationDescending ? 1 : 0)
    append(count: question.sort.count)
    for key in question.sort {
      bytes.append(key.descending ? 1 : 0)
      append(key.property)
    }
    append(question.condition)
    append(count: indexes.count)
    for index in indexes { append(count: Int(index.id)) }
  }

  /// The shape; nil if it is so long (for a predicate with hundreds of alternatives) that it is not worth keeping.
  var ifShort: QuestionShape? { bytes.count <= Self.longest ? self : nil }

  private static let longest = 1024

  package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

  package func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  // MARK: Parts

  private mutating func append(count: Int) {
    if count < 0xFF { return bytes.append(UInt8(count)) }
    bytes.append(0xFF)
    unsafe withUnsafeBytes(of: UInt64(count).littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends the number of significant bits of a number, so that a limit of 20 is planned like one of 25.
  private mutating func append(magnitude number: Int?) {
    bytes.append(number.map { UInt8(Int.bitWidth - $0.leadingZeroBitCount) } ?? .max)
  }

  private mutating func append(_ text: String) {
    append(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(_ condition: Condition) {
    switch condition {
    case .always: bytes.append(0)
    case .never: bytes.append(1)
    case .all(let conditions), .any(let conditions):
      if case .all = condition { bytes.append(2) } else { bytes.append(3) }
      append(count: conditions.count)
      for condition in conditions { append(condition) }
    case .test(let test):
      bytes.append(test.isNegated ? 5 : 4)
      append(test.property)
      append(test.values)
    case .pair(let pair):
      bytes.append(16)
      bytes.append(pair.relation.rawValue << 2 | (pair.isComplement ? 2 : 0) | (pair.isNegated ? 1 : 0))
      append(pair.left)
      append(pair.right)
    case .elements(let group):
      bytes.append(group.isNegated ? 7 : 6)
      append(group.relations)
      append(count: group.conditions.count)
      for condition in group.conditions { append(condition) }
    }
  }

  /// Appends the kind of the values, and roughly how many there are: one value, several values, or ranges.
  private mutating func append(_ values: ValueSet) {
    switch values {
    case .integers(let set, let missing):
      bytes.append(missing ? 1 : 0)
      append(magnitude: set.ranges.count)
      bytes.append(set.ranges.first.map { $0.lowerBound == $0.upperBound } ?? false ? 1 : 0)
      bytes.append(set.ranges.first.map { $0.lowerBound == .min } ?? false ? 1 : 0)
      bytes.append(set.ranges.last.map { $0.upperBound == .max } ?? false ? 1 : 0)
    case .text(.ranges(let set), let missing):
      bytes.append(missing ? 3 : 2)
      append(magnitude: set.ranges.count)
      bytes.append(set.ranges.first?.point == nil ? 0 : 1)
      bytes.append(set.ranges.first.map(\.lower.isEmpty) ?? false ? 1 : 0)
      bytes.append(set.ranges.last.map { $0.upper == nil } ?? false ? 1 : 0)
    case .text(.pattern(_, let complement), let missing):
      bytes.append(missing ? 5 : 4)
      bytes.append(complement ? 1 : 0)
    case .participants(.equals(let users)):
      bytes.append(6)
      append(magnitude: users.count)
    case .participants(.overlaps(let users)):
      bytes.append(7)
      append(magnitude: users.count)
    case .participants(.containsAll(let users)):
      bytes.append(8)
      append(magnitude: users.count)
    case .metadata: bytes.append(9)
    case .related: bytes.append(10)
    }
  }

  private mutating func append(_ kind: ObjectKind) {
    let number: UInt8 =
      switch kind {
      case .conversations: 0
      case .messages: 1
      case .parts: 2
      case .announcements: 3
      case .identities: 4
      case .records: 5
      }
    bytes.append(number)
  }

  private mutating func append(_ relations: [ObjectRelation]) {
    append(count: relations.count)
    for relation in relations { bytes.append(relation.rawValue) }
  }

  private mutating func append(_ property: ObjectProperty) {
    append(property.relations)
    append(property.field.description.name)
    switch property.field {
    case .metadataValue(let path), .recordValue(let path):
      append(count: path.keys.count)
      for key in path.keys { append(key) }
    case .referenced(let step, let inner):
      append(count: 2)
      append(step.field)
      append(inner)
    case .recipientStatus(let user):
      append(count: 1)
      append(user.rawValue)
    default: append(count: 0)
    }
  }
}
