package import SatchelCoding
import SatchelExecution

/// An aggregate without its types: what it counts, adds up or has the minimum or the maximum of, and by what it groups. An ``Aggregate`` wraps one, and a
/// store keeps one.
public struct AggregateDescription: Hashable, Sendable, Codable {
  /// What a group comes to. Key paths are given as their names.
  public enum Measure: Hashable, Sendable, Codable {
    /// The number of objects.
    case count
    /// The sum of a number.
    case sum(of: [String])
    /// The least value of a property.
    case minimum(of: [String])
    /// The greatest value of a property.
    case maximum(of: [String])
  }

  /// The name under which it is declared: 1 to 256 bytes of UTF-8, without NUL.
  public let name: String
  /// The kind of the objects that count.
  public let kind: ObjectKind
  /// The name of the type whose records count; nil of other kinds.
  public let recordType: String?
  /// The condition that the objects must meet to count.
  public let predicate: QueryPredicate
  /// The key path, as its names, of the property that the objects are grouped by; nil for a single group of all
  /// objects.
  public let group: [String]?
  /// What each group comes to.
  public let measure: Measure

  /// Makes a description. Nothing is checked until it is declared.
  /// - Parameters:
  ///   - name: 1 to 256 bytes of UTF-8, without NUL.
  ///   - kind: The kind of the objects that count.
  ///   - recordType: Of records, the name of their type.
  ///   - predicate: The condition that the objects must meet to count.
  ///   - group: The key path of the property that they are grouped by; nil for a single group.
  ///   - measure: What each group comes to.
  public init(
    name: String, kind: ObjectKind, recordType: String? = nil, predicate: QueryPredicate = .true,
    group: [String]? = nil, measure: Measure = .count
  ) {
    self.name = name
    self.kind = kind
    self.recordType = recordType
    self.predicate = predicate
    self.group = group
    self.measure = measure
  }

  /// Compares the bytes of all texts, by which the store distinguishes aggregates.
  public static func == (left: Self, right: Self) -> Bool { left.entry == right.entry }

  /// Hashes the bytes of all texts.
  public func hash(into hasher: inout Hasher) { hasher.combine(entry) }
}

extension AggregateDescription: CustomStringConvertible {
  /// The aggregate on one line: `mentions: messages where isUnread = TRUE by conversation`; of records, the name of their type stands for the
  /// kind.
  public var description: String {
    var text = name + ": "
    if let (word, path) = measure.words { text += "\(word) of \(SortKey(path)) of " }
    text += nameOfKind
    if predicate != .true { text += " where \(predicate)" }
    if let group { text += " by \(SortKey(group))" }
    return text
  }
}

extension AggregateDescription.Measure {
  /// The word for what is done with a property, and its key path; nil to count objects.
  package var words: (word: String, path: [String])? {
    switch self {
    case .count: nil
    case .sum(let path): ("sum", path)
    case .minimum(let path): ("minimum", path)
    case .maximum(let path): ("maximum", path)
    }
  }

  /// What a group comes to in which nothing counts.
  package var nothing: QueryPredicate.Constant {
    switch self {
    case .count, .sum: .integer(0)
    case .minimum, .maximum: .null
    }
  }
}

extension AggregateDescription {
  /// The kind as it is printed: of records, the name of their type.
  package var nameOfKind: String { recordType ?? kind.rawValue }

  /// The definition in the form in which the store keeps it.
  package var entry: AggregateEntry {
    func text(_ path: [String]?) -> [UInt8]? { path.map { Array(SortKey($0).description.utf8) } }
    let measure: AggregateEntry.Measure =
      switch self.measure {
      case .count: .count
      case .sum(let path): (try? ObjectProperty(path: path, of: kind).type) == .custom ? .exactSum : .sum
      case .minimum: .minimum
      case .maximum: .maximum
      }
    return AggregateEntry(
      name: Array(name.utf8), kind: AggregateEntry.Kind(kind), recordType: recordType.map { Array($0.utf8) },
      predicate: Array(predicate.description.utf8), group: text(group), measure: measure,
      of: text(self.measure.words?.path))
  }

  /// Makes the description of a stored definition.
  /// - Throws: ``SatchelError`` `syntaxError` if a text does not follow this version's predicate language.
  package init(_ entry: AggregateEntry) throws {
    func path(_ text: [UInt8]) throws -> [String] { try SortKey(String(decoding: text, as: UTF8.self)).path }
    let property = try entry.property.map(path) ?? []
    let measure: Measure =
      switch entry.measure {
      case .count: .count
      case .sum, .exactSum: .sum(of: property)
      case .minimum: .minimum(of: property)
      case .maximum: .maximum(of: property)
      }
    self.init(
      name: String(decoding: entry.name, as: UTF8.self), kind: ObjectKind(entry.kind),
      recordType: entry.recordType.map { String(decoding: $0, as: UTF8.self) },
      predicate: try QueryPredicate(format: String(decoding: entry.predicate, as: UTF8.self)),
      group: try entry.group.map(path), measure: measure)
  }
}
