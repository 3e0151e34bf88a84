struct ColumnKey: Hashable {
  let kind: ObjectKind
  let path: PropertyPath
  let form: ColumnForm
}

/// As what the values of a property are wanted.
enum ColumnForm: Hashable {
  /// As they compare with operands.
  case compared
  /// Texts as they were given.
  case asGiven
  /// Of a key path of metadata, the dictionaries at which it ends.
  case dictionaries
}

/// One property of all objects of a kind: its distinct values in ascending order, and for each object the ranks of
/// its values among them. A comparison is then decided once a value, and a sort compares small integers.
final class Column {
  let type: ValueType
  let isOptional: Bool
  let isToMany: Bool
  let isSortable: Bool
  let sortsMissingLast: Bool
  let mayRefer: Bool
  let isReferenced: Bool
  /// Of a property to many, how many elements each object has.
  private let elementCounts: [Int]
  let values: [Value]
  /// The ranks of row r stand at `starts[r] ..< starts[r + 1]`.
  let ranks: [Int32]
  let starts: [Int32]
  private var formed: [TextForm: [ByteString?]] = [:]
  private var words: [Int: [ByteString]] = [:]
  /// The texts that full-text search has looked at.
  var searched: [Int: SearchText?] = [:]

  /// - Parameter isAsGiven: Whether texts are to stay as they were given; otherwise they come in NFC.
  init<Object>(_ property: Property<Object>, of objects: [Object], isAsGiven: Bool = false) {
    type = property.type
    isOptional = property.isOptional
    isToMany = property.isToMany
    isSortable = property.isSortable
    sortsMissingLast = property.sortsMissingLast
    mayRefer = property.mayRefer
    isReferenced = property.isReferenced
    elementCounts = property.elementCount.map { objects.map($0) } ?? []
    var numbers: [Value: Int32] = [:]
    var distinct: [Value] = []
    var ranks: [Int32] = []
    var starts: [Int32] = [0]
    let isComposed = !isAsGiven && (property.type == .text || property.type == .custom)
    for object in objects {
      for given in property.read(object) {
        let value = isComposed ? given.composed : given
        if let number = numbers[value] {
          ranks.append(number)
        } else {
          numbers[value] = Int32(distinct.count)
          ranks.append(Int32(distinct.count))
          distinct.append(value)
        }
      }
      starts.append(Int32(ranks.count))
    }
    let order = distinct.indices.sorted { distinct[$0].precedes(distinct[$1]) }
    var rankOfNumber = [Int32](repeating: 0, count: order.count)
    for (rank, number) in order.enumerated() { rankOfNumber[number] = Int32(rank) }
    values = order.map { distinct[$0] }
    self.ranks = ranks.map { rankOfNumber[Int($0)] }
    self.starts = starts
  }

  /// The string at a rank in a form; nil if the value is no string. Made once.
  func string(at rank: Int, in form: TextForm) -> ByteString? {
    guard case .string(let text) = values[rank] else { return nil }
    if form.isEmpty { return text }
    if let made = formed[form]?[rank] { return made }
    let made = form.apply(to: text)
    formed[form, default: Array(repeating: nil, count: values.count)][rank] = made
    return made
  }
}

extension Column {
  /// How many elements the object of a row has, of which some may lack a value; none unless the property is to-many.
  func elementCount(of row: Int) -> Int { isToMany ? elementCounts[row] : 0 }

  /// The folded words of the string at a rank; none if the value is no string. Made once.
  func words(at rank: Int) -> [ByteString] {
    if let made = words[rank] { return made }
    let made = string(at: rank, in: .ofWords)?.words ?? []
    words[rank] = made
    return made
  }
}

extension Snapshot {
  /// The column of a path, or an error if the kind has no such property, or if it has none in the form.
  func column(of kind: ObjectKind, _ path: PropertyPath, _ form: ColumnForm = .compared) throws -> Column {
    let key = ColumnKey(kind: kind, path: path, form: form)
    if let column = columns[key] { return column }
    guard let column = makeColumn(kind, path.components[...], form) else {
      throw QueryError("\(kind.rawValue) have no property \(path.components)")
    }
    columns[key] = column
    return column
  }

  private func makeColumn(_ kind: ObjectKind, _ path: ArraySlice<ByteString>, _ form: ColumnForm) -> Column? {
    func column<Object>(_ property: Property<Object>?, of objects: [Object]) -> Column? {
      switch form {
      case .compared: property.map { Column($0, of: objects) }
      case .asGiven: property.map { Column($0, of: objects, isAsGiven: true) }
      case .dictionaries: property?.ofDictionaries.map { Column($0, of: objects) }
      }
    }
    return switch kind {
    case .conversations:
      column(Property.ownState(path, in: self) ?? Property.conversation(path), of: conversations)
    case .messages:
      column(Property.ownState(path, in: self) ?? Property.conversationMessage(path), of: messages)
    case .parts: column(Property.messagePart(path), of: parts)
    case .announcements: column(Property.message(path), of: announcements)
    case .identities: column(Property.identity(path), of: identities)
    case .records(let type):
      records[type].flatMap { column(Property.record(path, of: type, in: self), of: $0) }
    }
  }
}
