import Foundation
import Satchel
import TestSupport

/// The few values that random objects have and random queries ask for, so that they meet.
enum Pools {
  static let users = ["alice", "bob", "carol", "dave", "eve", "frank", "u/é", "zoe"]
  static let texts = ["", "a", "ab", "b", "Lunch", "lunch", "Zoo", "é", "x_y", "50%", "a b"]
  static let types = ["text/plain", "text/html", "image/png", "application/x"]
  /// Key paths that values are set at; one is a dictionary on the way to another.
  static let keyPaths = [
    ["title"], ["tag"], ["theme", "color"], ["theme", "size"], ["a", "b", "c"], ["a", "b"], ["theme"],
    ["a.b"], ["a.b", "c"],
    ["theme", "\\'"], ["two words", "AND"], ["😀", "alice@example.org"],
  ]
  /// The first of the dates, in seconds: 2024-01-01T00:00:00Z.
  private static let firstSecond = 1_704_067_200
  static let hours = 24
  /// How many names areas have.
  static let areas = 6

  static func date(_ hour: Int) -> Date { Date(timeIntervalSince1970: Double(firstSecond + hour * 3600)) }

  static func timestamp(_ hour: Int) -> Timestamp {
    Timestamp(microseconds: Int64(firstSecond + hour * 3600) * 1_000_000)
  }

  /// A date as the predicate language and the interchange format spell it.
  static func spelling(_ hour: Int) -> String { "2024-01-01T\(hour < 10 ? "0" : "")\(hour):00:00Z" }
}

extension SeededGenerator {
  mutating func user() -> String { percent(25) ? "alice" : pick(Pools.users) }
  mutating func text() -> String { pick(Pools.texts) }
  mutating func hour() -> Int { below(Pools.hours) }
  /// More often one that has only names.
  mutating func keyPath() -> [String] { pick(percent(60) ? Array(Pools.keyPaths[..<7]) : Pools.keyPaths) }

  /// A reference to one of few areas, which may be there or not.
  mutating func area() -> Reference { Reference(type: "area", name: "a\(below(Pools.areas))") }

  /// A value of metadata, mostly a text, which queries ask for more.
  mutating func metadataValue() -> MetadataValue {
    switch below(13) {
    case 12: .text(user())
    case 10, 11: .list((0..<below(4)).map { _ in text() })
    case 0: .integer(Int64(below(4)))
    case 1: .number(pick([0, 1, 2.5, -1]))
    case 2: .boolean(percent(50))
    case 3: .date(Pools.timestamp(hour()))
    default: .text(text())
    }
  }

  /// A place in a conversation, many of them equal, some missing.
  mutating func position() -> Int64? { percent(15) ? nil : Int64(below(60)) }
}
