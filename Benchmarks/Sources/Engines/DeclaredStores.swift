import Foundation
import Satchel

/// Stores with custom data in which each engine keeps indexes that the application has asked for, over the same values.
public final class DeclaredStores {
  public let custom: CustomStores
  private var isComplete = false
  /// Messages at random that are among those that are asked for by priority.
  public private(set) var places: [Place] = []
  /// How many indexes by priority each engine has made.
  private var byPriority: [Engine: Int] = [:]

  /// A message, with what says where it is in the order of priorities and dates.
  public struct Place: Sendable {
    public let identifier: String
    public let row: Int64
    public let priority: Int64
    public let sentAt: Int64
  }

  /// Whose index is made.
  public enum Engine: Hashable, Sendable, CaseIterable { case satchel, sqlite, grdb }

  /// The messages that are asked for in the order of their priority.
  public static let leastPriority = CustomValues.priorities / 10
  /// Below these a tenth of the messages has its priority, and one independent of it its amount.
  public static let fewPriorities = CustomValues.priorities / 10
  public static let fewAmounts = CustomValues.amounts / 10

  /// - Parameter name: What tells the files from those of others of the kind.
  public init(of data: LoadedDataset, named name: String) {
    custom = CustomStores(of: data, named: name)
    messages = data.keys.messages
  }

  private let messages: [MessageKey]

  /// Makes one more index of the messages by their priority and their date, and returns when it is complete.
  /// - Returns: What counts its entries.
  @discardableResult
  public func declareByPriority(_ engine: Engine) throws -> () throws -> Int {
    let number = byPriority[engine, default: 0]
    byPriority[engine] = number + 1
    switch engine {
    case .satchel:
      let index = Self.byPriority(number)
      try Self.declare(index, in: custom.satchel)
      return { [custom] in try custom.satchel.indexes().first { $0.index == index }?.entries ?? 0 }
    case .sqlite:
      let connection = custom.sqlite.connection
      try connection.execute(Schema.byPriority(number))
      return { Int(try connection.prepare(Schema.countByPriority(number)).number()) }
    case .grdb:
      try custom.grdb.execute(Schema.byPriority(number))
      return { [custom] in try custom.grdb.number(Schema.countByPriority(number)) }
    }
  }

  /// Opens the stores, and makes all indexes that there are not yet.
  public func open() throws {
    try custom.open()
    guard !isComplete else { return }
    for engine in Engine.allCases where byPriority[engine, default: 0] == 0 { try declareByPriority(engine) }
    for index in Self.others { try Self.declare(index, in: custom.satchel) }
    try custom.sqlite.connection.execute(Schema.otherDeclared)
    try custom.grdb.execute(Schema.otherDeclared)
    places = try findPlaces()
    isComplete = true
  }

  private func findPlaces() throws -> [Place] {
    let values = try custom.sqlite.connection.prepare(
      "SELECT json_extract(metadata, '$.priority'), sent_at FROM message WHERE id = ?1")
    return try messages.compactMap { key in
      values.bind(1, key.row)
      defer { values.reset() }
      guard try values.step(), values.integer(0) >= Int64(Self.leastPriority), !values.isNull(1) else {
        return nil
      }
      return Place(
        identifier: key.identifier, row: key.row, priority: values.integer(0), sentAt: values.integer(1))
    }
  }

  /// Closes the stores and removes them.
  public func remove() {
    custom.remove()
    byPriority = [:]
    isComplete = false
  }

  private static func declare(_ index: Index, in store: MessageStore) throws {
    try store.declare(index)
    // It is built beside other commits.
    while try store.indexes().contains(where: { !$0.isComplete }) { usleep(200) }
  }

  /// The same index as often as it is asked for, by other names.
  public static func byPriority(_ number: Int) -> Index {
    Index(named: "by priority \(number)", on: Message.self) {
      [$0.metadata.priority.number.descending, $0.sentAt]
    }
  }

  private static let others = [
    Index(named: "unread by priority", on: Message.self, where: { $0.isUnread }) {
      [$0.metadata.priority.number.descending, $0.sentAt]
    },
    Index(named: "by amount", on: Message.self) { [$0.metadata.amount.number, $0.sentAt] },
  ]
}
