import Satchel
import TestSupport
import Testing

/// The sums, minima and maxima among the checks. What they are compared with is computed from all objects, with numbers of any
/// size.
extension AggregateCheck {
  /// The values of some objects at a key path of metadata, by the description of their group.
  private static func values<Object>(
    _ objects: [Object], by group: (Object) throws -> Any?, _ value: (Object) throws -> MetadataValue?
  ) rethrows -> [String: [MetadataValue]] {
    var values: [String: [MetadataValue]] = [:]
    for object in objects {
      guard let value = try value(object) else { continue }
      values[try group(object).map { "\($0)" } ?? "nil", default: []].append(value)
    }
    return values
  }

  /// The sums that are not 0: of numbers alone, rounded once.
  static func sums(_ values: [String: [MetadataValue]]) -> [String: Double] {
    values.compactMapValues { values in
      let sum = values.reduce(ExactNumber()) { sum, value in
        switch value {
        case .integer(let integer): sum + ExactNumber(integer)
        case .number(let number): sum + ExactNumber(number)
        default: sum
        }
      }
      return sum == ExactNumber() ? nil : sum.integer.map { Double($0) } ?? sum.nearest
    }
  }

  /// The numbers among the values, the integers by the order that these have.
  private static func numbers(_ values: [MetadataValue]) -> [ExactNumber] {
    values.compactMap { value in
      switch value {
      case .integer(let integer): ExactNumber(integer)
      case .number(let number): ExactNumber(number)
      default: nil
      }
    }
  }

  private static func extremes(
    _ values: [String: [MetadataValue]], _ isBefore: (ExactNumber, ExactNumber) -> Bool
  ) -> [String: Double?] {
    values.compactMapValues { numbers($0).min(by: isBefore).map { Optional($0.nearest) } }
  }

  private static let amounts = Message.all
  private static let rooms = Conversation.all

  static let measures: [AggregateCheck] = [
    AggregateCheck(
      Aggregate(named: "amounts", summing: \.metadata.amount.number, of: amounts, groupedBy: \.conversation)
    ) { snapshot in
      try sums(
        values(snapshot.fetch(Message.all), by: { $0.conversation }, { $0.metadata.value(at: "amount") }))
    },
    AggregateCheck(
      Aggregate(
        named: "unread amounts", summing: { $0.metadata.amount.number }, of: Message.filter { $0.isUnread })
    ) { snapshot in
      try sums(
        values(
          snapshot.fetch(Message.all).filter(\.isUnread), by: { _ in nil },
          { $0.metadata.value(at: "amount") }))
    },
    AggregateCheck(
      Aggregate(
        named: "amounts of rooms", summing: { $0.conversation.metadata.amount.number }, of: amounts,
        groupedBy: { $0.conversation.metadata.team })
    ) { snapshot in
      try sums(
        values(
          snapshot.fetch(Message.all), by: { try snapshot.conversation(of: $0).metadata["team"] as String? },
          { try snapshot.conversation(of: $0).metadata.value(at: "amount") }))
    },
    AggregateCheck(
      Aggregate(named: "least", minimum: \.metadata.amount.number, of: amounts, groupedBy: \.sender.userID)
    ) { snapshot in
      try extremes(
        values(snapshot.fetch(Message.all), by: { $0.sender }, { $0.metadata.value(at: "amount") }),
        ExactNumber.isLess)
    },
    AggregateCheck(
      Aggregate(named: "greatest", maximum: { $0.metadata.amount.number }, of: rooms)
    ) { snapshot in
      try extremes(
        values(snapshot.fetch(Conversation.all), by: { _ in nil }, { $0.metadata.value(at: "amount") })
      ) { ExactNumber.isLess($1, $0) }
    },
    AggregateCheck(
      Aggregate(named: "last text", maximum: \.metadata.amount, of: amounts, groupedBy: \.conversation)
    ) { snapshot in
      try values(snapshot.fetch(Message.all), by: { $0.conversation }, { $0.metadata.value(at: "amount") })
        .compactMapValues { values -> String?? in
          let texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
          // In NFC, by their bytes.
          let last = texts.map { $0 == "\u{E9}" ? "\u{E9}" : $0 }.max {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
          }
          return last.map { Optional($0) }
        }
    },
    AggregateCheck(
      Aggregate(named: "first place", minimum: \.position, of: amounts, groupedBy: \.conversation)
    ) { snapshot in
      var least: [String: Int64?] = [:]
      for message in try snapshot.fetch(Message.all) {
        guard let position = message.position else { continue }
        least["\(message.conversation)"] = min((least["\(message.conversation)"] ?? nil) ?? .max, position)
      }
      return least
    },
    AggregateCheck(
      Aggregate(named: "last sent", maximum: \.sentAt, of: Message.filter { $0.isUnread })
    ) { snapshot in
      let last = try snapshot.fetch(Message.all).filter(\.isUnread).compactMap(\.sentTimestamp).max()
      return last.map { ["nil": Optional($0)] } ?? [:]
    },
  ]
}
