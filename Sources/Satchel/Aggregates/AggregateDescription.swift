package import SatchelCoding
import SatchelExecution

/// What an aggregate counts or adds up, and by what: what an ``Aggregate`` wraps, and what a store keeps of it.
public struct AggregateDescription: Hashable, Sendable, Codable {
  /// The name that it is declared under, 1 to 256 bytes.
  public let name: String
  /// The kind of object.
  public let kind: ObjectKind
  /// What counted objects have to meet.
  public let predicate: Predicate
  /// The names of the key path of the property that they are grouped by; nil for one group of all.
  public let group: [String]?
  /// The names of the key path of the number that is added up; nil to count.
  public let sum: [String]?

  /// A description; whether it can be kept is found out when it is declared.
  public init(
    name: String, kind: ObjectKind, predicate: Predicate = .true, group: [String]? = nil, sum: [String]? = nil
  ) {
    self.name = name
    self.kind = kind
    self.predicate = predicate
    self.group = group
    self.sum = sum
  }

  /// By the bytes of all texts, as the store tells them apart.
  public static func == (left: Self, right: Self) -> Bool { left.entry == right.entry }

  public func hash(into hasher: inout Hasher) { hasher.combine(entry) }
}

extension AggregateDescription: CustomStringConvertible {
  /// The aggregate on one line: `mentions: messages where isUnread = TRUE by conversation`.
  public var description: String {
    var text = "\(name): \(kind.rawValue)"
    if let sum { text = "\(name): sum of \(SortKey(sum)) of \(kind.rawValue)" }
    if predicate != .true { text += " where \(predicate)" }
    if let group { text += " by \(SortKey(group))" }
    return text
  }
}

extension AggregateDescription {
  /// The definition as the store keeps it.
  package var entry: AggregateEntry {
    func text(_ path: [String]?) -> [UInt8]? { path.map { Array(SortKey($0).description.utf8) } }
    return AggregateEntry(
      name: Array(name.utf8), kind: AggregateEntry.Kind(kind), predicate: Array(predicate.description.utf8),
      group: text(group), sum: text(sum))
  }

  /// The description of a definition.
  /// - Throws: ``SatchelError`` `syntaxError` for one that is not of this version's language.
  package init(_ entry: AggregateEntry) throws {
    func path(_ text: [UInt8]?) throws -> [String]? {
      try text.map { try SortKey(String(decoding: $0, as: UTF8.self)).path }
    }
    self.init(
      name: String(decoding: entry.name, as: UTF8.self), kind: ObjectKind(entry.kind),
      predicate: try Predicate(format: String(decoding: entry.predicate, as: UTF8.self)),
      group: try path(entry.group), sum: try path(entry.sum))
  }
}
