import Foundation
import SatchelModel
import SatchelRecords
import TestSupport
import Testing

/// Values of a program's own types as records, and back.
@Suite struct StorableRecordTests {
  enum Priority: String, Codable { case low, high }
  enum Level: Int, Codable { case first = 1, second }
  struct Place: Codable, Equatable {
    var city: String
    var floors: Int?
  }

  struct Todo: StorableRecord, Equatable {
    static let recordType = RecordType("todo") {
      $0.text("title")
      $0.integer("order")
      $0.number("share")
      $0.boolean("done")
      $0.date("due")
      $0.texts("tags")
      $0.reference("list", to: "list")
    }
    var id = UUID()
    var title = "Write"
    var order = 3
    var share = 0.5
    var part: Float = 0.25
    var done = true
    var due: Date? = Date(timeIntervalSince1970: 1_000_000.25)
    var exact = Timestamp(microseconds: 9_007_199_254_740_993)
    var tags: [String]? = ["b", "a", "b"]
    var list: Reference? = Reference(type: "list", name: "work")
    var link: URL? = URL(string: "https://example.org/a?b=c")
    var token = UUID()
    var priority: Priority? = .high
    var level = Level.second
    var levels: [Priority] = [.low]
    var place: Place? = Place(city: "Bern", floors: nil)
    var counts = ["a.b": 1, "": 2]
    var more: Metadata = ["due": Date(timeIntervalSince1970: 5), "inner": ["x": 1.5]]
    var sender = Identity.ID("bob")
    var small: UInt8 = 255
    var large: UInt64 = 9_223_372_036_854_775_807
    var least: Int64 = .min
  }

  @Test func aValueIsTheFieldsOfItsRecordAndBack() throws {
    let value = Todo()
    let record = try Record(value)
    #expect(record.id == Reference(type: "todo", name: value.id.uuidString) && record.owner == nil)
    #expect(
      record.fields == [
        "title": "Write", "order": 3, "share": 0.5, "part": 0.25, "done": true,
        "due": Timestamp(microseconds: 1_000_000_250_000), "exact": value.exact, "tags": ["b", "a", "b"],
        "list": Reference(type: "list", name: "work"), "link": "https://example.org/a?b=c",
        "token": value.token.uuidString, "priority": "high", "level": 2, "levels": ["low"],
        "place": ["city": "Bern"], "counts": ["a.b": 1, "": 2],
        "more": ["due": Date(timeIntervalSince1970: 5), "inner": ["x": 1.5]], "sender": "bob",
        "small": 255, "large": Int64.max, "least": Int64.min,
      ])
    #expect(try record.value(as: Todo.self) == value)
    try Todo.recordType.check(
      Metadata(record.fields.entries.map { ($0.key, $0.value) }.filter { $0.0 != "counts" }))
  }

  @Test func whatIsNilIsNoFieldAndEmptyListsAre() throws {
    var value = Todo()
    (value.due, value.tags, value.list, value.link, value.priority, value.place) = (
      nil, [], nil, nil, nil, nil
    )
    (value.counts, value.levels) = ([:], [])
    let record = try Record(value)
    for name in ["due", "list", "link", "priority", "place"] { #expect(record[name] == nil) }
    #expect(record["tags"]?.listValue == [] && record["levels"]?.listValue == [])
    guard case .dictionary(let counts)? = record["counts"] else {
      Issue.record("\(String(describing: record["counts"]))")
      return
    }
    #expect(counts.isEmpty)
    #expect(try record.value(as: Todo.self) == value)
  }

  class Shape: Codable, @unchecked Sendable {
    let name: String
    init(name: String) { self.name = name }
  }
  final class Square: Shape, @unchecked Sendable {
    private enum Key: CodingKey { case sides, marks, size, empty }
    let sides: [String]
    let size: Int
    init(_ name: String, sides: [String], size: Int) {
      (self.sides, self.size) = (sides, size)
      super.init(name: name)
    }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      var list = try container.nestedUnkeyedContainer(forKey: .sides)
      var sides: [String] = []
      while !list.isAtEnd { sides.append(try list.decode(String.self)) }
      self.sides = sides
      size = try container.nestedContainer(keyedBy: Key.self, forKey: .marks).decode(Int.self, forKey: .size)
      #expect(try container.decodeNil(forKey: .empty) && !container.contains(.empty))
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var list = container.nestedUnkeyedContainer(forKey: .sides)
      for side in sides { try list.encode(side) }
      var marks = container.nestedContainer(keyedBy: Key.self, forKey: .marks)
      try marks.encode(size + 1, forKey: .size)
      // A later value takes the place of an earlier one, and a container that is asked for again is the same.
      try marks.encode(size, forKey: .size)
      var again = container.nestedContainer(keyedBy: Key.self, forKey: .marks)
      try again.encode("x", forKey: .sides)
      try container.encodeNil(forKey: .empty)
      try super.encode(to: container.superEncoder())
    }
  }
  struct Drawing: StorableRecord {
    static let recordType = RecordType("drawing")
    var id = 1
    var shape: Square
    var layers: Set<String> = ["a"]
  }

  @Test func containersThatTypesMakeThemselvesAreDictionariesAndLists() throws {
    let record = try Record(Drawing(shape: Square("s", sides: ["n", "e"], size: 4)))
    #expect(
      record.fields == [
        "shape": ["sides": ["n", "e"], "marks": ["size": 4, "sides": "x"], "super": ["name": "s"]],
        "layers": ["a"],
      ])
    let shape = try record.value(as: Drawing.self).shape
    #expect(shape.name == "s" && shape.sides == ["n", "e"] && shape.size == 4)
  }

  // MARK: Identifiers

  struct Named<Key: Codable & Hashable & Sendable>: StorableRecord, Equatable {
    static var recordType: RecordType { RecordType("named") }
    var id: Key
    var x = 1
  }

  @Test func identifiersAreTextsIntegersAndReferences() throws {
    func expect<Key: Codable & Hashable & Sendable>(_ id: Key, _ name: String, line: Int = #line) throws {
      let record = try Record(Named(id: id))
      #expect(record.id == Reference(type: "named", name: name) && record.fields == ["x": 1], "line \(line)")
      #expect(try record.value(as: Named<Key>.self) == Named(id: id), "line \(line)")
      #expect(try Reference(Named<Key>.self, id) == record.id && Reference(Named(id: id)) == record.id)
    }
    try expect("a b", "a b")
    try expect(-7, "-7")
    try expect(UInt64(Int64.max), "9223372036854775807")
    try expect(Priority.low, "low")
    try expect(Level.first, "1")
    try expect(Reference(type: "named", name: "n"), "n")
    try expect(Identity.ID("bob"), "bob")
    try expect(URL(string: "urn:x")!, "urn:x")
  }

  @Test func identifiersThatAreNoneAreRefused() {
    func expect<Key: Codable & Hashable & Sendable>(_ id: Key, _ found: String) {
      let error = error(of: try Record(Named(id: id)))
      #expect(
        error?.code == .invalidIdentifier && error?.context["found"] == found, "\(error.debugDescription)")
      #expect(error?.context["recordType"] == "named")
    }
    expect(1.5, "number 1.5")
    expect(true, "boolean true")
    expect(["a"], "texts [\"a\"]")
    expect(Reference(type: "list", name: "n"), "reference to list list/n")
    expect([1], "Array<Int>")
    expect(UInt64.max, "UInt64")
    expect(String?.none, "Optional<String>")
  }

  @Test func anIntegerIsReadFromItsOwnSpellingAlone() throws {
    for name in ["7", "-7"] {
      let record = Record(id: Reference(type: "named", name: name), ["x": 1])
      #expect(try record.value(as: Named<Int>.self).id == Int(name))
    }
    for name in ["07", "+7", "7 ", "x", "99999999999999999999"] {
      let record = Record(id: Reference(type: "named", name: name), ["x": 1])
      let error = error(of: try record.value(as: Named<Int>.self))
      #expect(error?.code == .invalidValue && error?.context["field"] == "id", "\(name)")
    }
  }

  struct Whole: StorableRecord, Equatable {
    static let recordType = RecordType("whole") { $0.text("id") }
    var id: String
    var identifier: String?
    var owner: String?
    var createdAt: Date?
    var createdBy: Identity.ID?
    var updatedAt: Timestamp?
    var updatedBy: String?
  }

  @Test func whatEveryRecordHasIsReadAndItsOwnerWritten() throws {
    var record = Record(id: Reference(type: "whole", name: "n"), owner: "bob", ["id": "other"])
    (record.createdTimestamp, record.updatedTimestamp) = (
      Timestamp(microseconds: 1_000_000), Timestamp(microseconds: 2)
    )
    (record.createdBy, record.updatedBy) = ("alice", "carol")
    let value = try record.value(as: Whole.self)
    #expect(
      value
        == Whole(
          id: "other", identifier: "n", owner: "bob", createdAt: Date(timeIntervalSince1970: 1),
          createdBy: "alice", updatedAt: Timestamp(microseconds: 2), updatedBy: "carol"))
    let declared = try Record(
      Whole(id: "n", identifier: "n", owner: "bob", createdAt: .now, updatedBy: "eve"))
    // A declared field is kept, also one whose name an identifier may have.
    #expect(declared.fields == ["id": "n"] && declared.owner == "bob" && declared.createdBy == nil)
    // Saving refuses the name.
    #expect(try Record(value).fields == ["id": "other", "identifier": "n"])
  }

  private func error(of body: @autoclosure () throws -> some Any) -> SatchelError? {
    do {
      _ = try body()
      return nil
    } catch { return error as? SatchelError }
  }
}
