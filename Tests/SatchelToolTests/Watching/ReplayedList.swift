import Foundation

/// The list that the lines of `watch` describe, kept by nothing but them.
struct ReplayedList {
  /// What is wrong with a line.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var identifiers: [String] = []
  private(set) var total = 0
  private(set) var sequence = 0

  /// Follows the lines from the first one on.
  init(_ lines: [String]) throws {
    for (number, line) in lines.enumerated() {
      do {
        try follow(line, isFirst: number == 0)
      } catch let fault as Fault {
        throw Fault(description: "line \(number + 1), \(line): \(fault.description)")
      }
    }
  }

  private mutating func follow(_ line: String, isFirst: Bool) throws {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]] ?? [:]
    try check(object.count == 1, "one key")
    let body = try value(object[isFirst ? "snapshot" : "changes"], "a snapshot first, then changes")
    let sequence = try value(body["sequence"] as? Int, "a sequence")
    let oldTotal = total
    total = try value(body["total"] as? Int, "a total")
    try check(isFirst || sequence > self.sequence, "ascending sequences")
    self.sequence = sequence
    if isFirst {
      identifiers = try value(body["identifiers"] as? [String], "identifiers")
    } else {
      let count = try apply(body)
      try check(count > 0 || total != oldTotal, "something that changed")
    }
    try check(Set(identifiers).count == identifiers.count, "no object twice")
    try check(identifiers.count <= total, "no more rows than there are in all")
  }

  /// Applies a change set; returns how many objects changed.
  private mutating func apply(_ body: [String: Any]) throws -> Int {
    try check(
      body.keys.sorted() == ["delete", "insert", "move", "sequence", "total", "update"], "the six keys")
    let deletes = try value(body["delete"] as? [Int], "deletes")
    let updates = try value(body["update"] as? [Int], "updates")
    let moves = try value(body["move"] as? [[Int]], "moves")
    var arrivals = try value(body["insert"] as? [[Any]], "inserts").map { pair in
      (
        place: try value(pair.first as? Int, "a place"),
        identifier: try value(pair.last as? String, "an identifier")
      )
    }
    try check(moves.allSatisfy { $0.count == 2 }, "pairs")
    let places = deletes + updates + moves.map { $0[0] }
    try check(Set(places).count == places.count, "each object once")
    try check(places.allSatisfy(identifiers.indices.contains), "places of the list before")
    let inserted = arrivals.map(\.identifier)
    try check(Set(inserted).isDisjoint(with: identifiers), "inserts of what was not there")
    for move in moves { arrivals.append((move[1], identifiers[move[0]])) }
    for place in (deletes + moves.map { $0[0] }).sorted(by: >) { identifiers.remove(at: place) }
    for arrival in arrivals.sorted(by: { $0.place < $1.place }) {
      try check((0...identifiers.count).contains(arrival.place), "places of the list after")
      identifiers.insert(arrival.identifier, at: arrival.place)
    }
    return places.count + inserted.count
  }

  private func check(_ isRight: Bool, _ expected: String) throws {
    if !isRight { throw Fault(description: "expected " + expected) }
  }

  private func value<Value>(_ value: Value?, _ expected: String) throws -> Value {
    guard let value else { throw Fault(description: "expected " + expected) }
    return value
  }
}
