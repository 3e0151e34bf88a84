import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Reads every value of a property of a row: of parts one for each, of a list of metadata its texts, of participants their user
/// ids. A part without a value has a missing one, and so has an object, but for metadata, which then has none.
typealias ElementsReader = (inout RowContext) throws -> [PropertyValue]

extension TestCompiler {
  /// Returns a check whether two properties of a row compare.
  func check(_ pair: PropertyPair) -> Check {
    let comparison = ValueComparison(relation: pair.relation)
    let isNegated = pair.isNegated
    let isSingle = pair.properties.allSatisfy {
      !$0.isToMany && $0.type != .custom && $0.type != .participants
    }
    if isSingle {
      let (left, right) = (reader(of: pair.left, in: pair), reader(of: pair.right, in: pair))
      return { row in
        let value = try left(&row)
        return comparison.holds(value, try right(&row)) != isNegated
      }
    }
    let (left, right) = (elements(of: pair.left, in: pair), elements(of: pair.right, in: pair))
    let isComplement = pair.isComplement
    return { row in
      let values = try left(&row)
      if values.isEmpty { return isNegated }
      let others = try right(&row)
      let holds = values.contains { value in
        others.contains { comparison.holds(value, $0) } != isComplement
      }
      return holds != isNegated
    }
  }

  /// Returns the reader of a property in a pair, whose values are in the form in which the pair compares them.
  func elements(of property: ObjectProperty, in pair: PropertyPair) -> ElementsReader {
    if property.isToMany {
      return parts(property.field, isExact: pair.isExact, pair.hasCustom, property.type)
    }
    if property.type == .participants { return participants() }
    let read = reader(of: property, in: pair)
    let isCustom = property.type == .custom
    let isExact = pair.isExact
    return { row in
      switch try read(&row) {
      case .missing: return isCustom ? [] : [.missing]
      case .list(let list):
        var texts: [PropertyValue] = []
        _ = unsafe list.contains { text in
          let text = unsafe PropertyValue(text)
          texts.append(isExact ? text : text.canonical)
          return false
        }
        return texts
      case let value: return [value]
      }
    }
  }

  private func reader(of property: ObjectProperty, in pair: PropertyPair) -> PropertyReader {
    let readers = PropertyReaders(snapshot: snapshot, kind: kind, index: index)
    let read = pair.isExact ? readers.exactReader(of: property) : readers.reader(of: property)
    guard pair.hasCustom else { return read }
    let type = property.type
    return { row in try read(&row).besideMetadata(type) }
  }

  private func parts(
    _ field: ObjectField, isExact: Bool, _ hasCustom: Bool, _ type: ValueType
  ) -> ElementsReader {
    let snapshot = snapshot
    let view = messageView
    return { row in
      let message = try view(&row)
      var parts = message.makePartCursor()
      var values: [PropertyValue] = []
      while let (part, index) = parts.next() {
        let value = try Self.value(of: field, of: part, at: index, in: message, snapshot)
        values.append((isExact ? value : value.canonical).besideMetadata(hasCustom ? type : .text))
      }
      return values
    }
  }

  private func participants() -> ElementsReader {
    let snapshot = snapshot
    let isOfRow = kind == .conversations
    return { row in
      let view =
        isOfRow ? try row.conversation(snapshot) : try snapshot.conversation(row.reference.conversation)
      return try snapshot.participantSets.members(view.participantSet).map {
        .bytes(try snapshot.users.utf8($0))
      }
    }
  }
}

extension PropertyValue {
  /// Whether two values, none of which is a list, are equal or both missing.
  func isSame(as other: PropertyValue) -> Bool {
    if case (.missing, .missing) = (self, other) { return true }
    return ValueComparison(relation: .equal).holds(self, other)
  }

  /// The value as one of metadata: an integer says of which type it is.
  fileprivate func besideMetadata(_ type: ValueType) -> PropertyValue {
    guard case .integer(let value) = self else { return self }
    return switch type {
    case .number: .scalar(.integer(value))
    case .date: .scalar(.date(value))
    case .boolean: .scalar(.boolean(value != 0))
    case .text, .bytes, .custom, .enumeration, .participants, .metadata: self
    }
  }
}

/// Compares two values of properties by their types. Missing values, values of different types, and two Booleans by their order
/// compare with nothing.
private struct ValueComparison {
  let relation: PropertyPair.Relation

  func holds(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): holds(isLess: left < right, isEqual: left == right)
    case (.scalar(let left), .scalar(let right)): holds(left, right)
    case (.reference(let left), .reference(let right)):
      unsafe relation == .equal && left.elementsEqual(right)
    default:
      unsafe left.withBytes { left in
        unsafe right.withBytes { right in
          unsafe holds(isLess: left.lexicographicallyPrecedes(right), isEqual: left.elementsEqual(right))
        }
      }.flatMap(\.self) ?? false
    }
  }

  private func holds(_ left: MetadataScalar, _ right: MetadataScalar) -> Bool {
    switch (left, right) {
    case (.boolean(let left), .boolean(let right)): return relation == .equal && left == right
    case (.date(let left), .date(let right)): return holds(isLess: left < right, isEqual: left == right)
    case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number):
      guard let left = left.key, let right = right.key else { return false }
      return holds(isLess: left < right, isEqual: left == right)
    default: return false
    }
  }

  private func holds(isLess: @autoclosure () -> Bool, isEqual: @autoclosure () -> Bool) -> Bool {
    switch relation {
    case .equal: isEqual()
    case .less: isLess()
    case .lessOrEqual: isLess() || isEqual()
    case .greater: !isLess() && !isEqual()
    case .greaterOrEqual: !isLess()
    }
  }
}
