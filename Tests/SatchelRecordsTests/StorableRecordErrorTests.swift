import Foundation
import SatchelModel
import SatchelRecords
import Testing

/// Values that are no fields, and records that are no values: each error names the place and both sides.
@Suite struct StorableRecordErrorTests {
  struct Holder<Value: Codable & Sendable>: StorableRecord {
    static var recordType: RecordType { RecordType("holder") }
    struct Inner: Codable, Sendable { var value: Value }
    var id = "h"
    var inner: Inner

    init(_ value: Value) { inner = Inner(value: value) }
  }
  struct Pair: Codable { var a = 1 }
  enum Both: Codable { case text(String) }

  private func error(of body: () throws -> some Any) -> SatchelError? {
    do {
      _ = try body()
      return nil
    } catch { return error as? SatchelError }
  }

  @Test func whatNoFieldHoldsIsRefusedByItsCodingPath() {
    func expect<Value: Codable & Sendable>(
      _ value: Value, at field: String = "inner.value", _ found: String?, _ message: String, line: Int = #line
    ) {
      let error = error { try Record(Holder(value)) }
      #expect(error?.code == .invalidValue, "line \(line): \(error.debugDescription)")
      #expect(error?.context["field"] == field, "line \(line): \(error.debugDescription)")
      #expect(error?.context["found"] == found, "line \(line): \(error.debugDescription)")
      #expect(error?.context["recordType"] == "holder", "line \(line)")
      #expect(error?.message.contains(message) == true, "line \(line): \(error.debugDescription)")
    }
    expect([1, 2], "integer", "one of texts")
    expect([Pair()], "dictionary", "records of their own")
    expect([["a"]], "texts", "one of texts")
    expect(["a", nil] as [String?], "nothing", "one of texts")
    expect([Reference(type: "a", name: "b")], "reference to a", "one of texts")
    expect(Data([1, 2, 3]), "3 bytes", "no bytes")
    expect(UInt64(Int64.max) + 1, "9223372036854775808", "at most 9223372036854775807")
    expect(UInt.max, "18446744073709551615", "at most 9223372036854775807")
    expect(Double.nan, "nan", "finite")
    expect(-Double.infinity, "-inf", "finite")
    expect(Float.infinity, "inf", "finite")
    expect(Date(timeIntervalSince1970: .nan), "a date that is none", "point in time")
    expect(["k": [Pair()]], at: "inner.value.k", "dictionary", "records of their own")
  }

  @Test func anEnumerationWithValuesIsADictionary() throws {
    let record = try Record(Holder(Both.text("x")))
    #expect(record.fields == ["inner": ["value": ["text": ["_0": "x"]]]])
    guard case .text("x") = try record.value(as: Holder<Both>.self).inner.value else {
      Issue.record("\(record)")
      return
    }
  }

  struct Fails: StorableRecord {
    struct Refusal: Error {}
    static let recordType = RecordType("fails")
    enum Way: String, Codable { case own, encoding, text }
    var id: String { "f" }
    var way = Way.own

    init(_ way: Way) { self.way = way }
    init(from decoder: any Decoder) throws { throw Refusal() }
    func encode(to encoder: any Encoder) throws {
      switch way {
      case .own: throw Refusal()
      case .encoding:
        throw EncodingError.invalidValue(
          way, .init(codingPath: encoder.codingPath, debugDescription: "not now"))
      case .text: try way.encode(to: encoder)
      }
    }
  }

  @Test func whatAValueThrowsIsPassedOn() {
    #expect(throws: Fails.Refusal.self) { try Record(Fails(.own)) }
    let refused = error { try Record(Fails(.encoding)) }
    #expect(refused?.code == .invalidValue && refused?.context["reason"] == "not now")
    let text = error { try Record(Fails(.text)) }
    #expect(text?.code == .invalidValue && text?.context["found"] == "text")
    #expect(throws: Fails.Refusal.self) {
      try Record(id: Reference(type: "fails", name: "f")).value(as: Fails.self)
    }
  }

  struct Todo: StorableRecord {
    static let recordType = RecordType("todo")
    struct Place: Codable, Sendable { var city: String }
    var id: String
    var title: String?
    var order: Int8?
    var share: Float?
    var due: Date?
    var link: URL?
    var token: UUID?
    var tags: [String]?
    var level: StorableRecordTests.Level?
    var levels: [StorableRecordTests.Priority]?
    var place: Place?
    var list: Reference?
    var needed: Bool
  }

  @Test func aRecordThatIsNoValueIsRefusedByItsField() {
    func expect(_ fields: Metadata, _ field: String, _ reason: String, line: Int = #line) {
      var fields = fields
      if fields.value(forKey: "needed") == nil, field != "needed" { try? fields.set(true, at: ["needed"]) }
      let record = Record(id: Reference(type: "todo", name: "t"), fields)
      let error = error { try record.value(as: Todo.self) }
      #expect(error?.code == .invalidValue && error?.context["record"] == "todo/t", "line \(line)")
      #expect(
        error?.context["type"] == "Todo" && error?.context["field"] == field,
        "line \(line): \(error.debugDescription)")
      #expect(error?.context["reason"] == reason, "line \(line): \(error.debugDescription)")
    }
    expect([:], "needed", "expected a value, found nothing")
    expect(["needed": 1], "needed", "expected Bool, found integer 1")
    expect(["title": 5], "title", "expected String, found integer 5")
    expect(["order": 128], "order", "expected Int8, found integer 128")
    expect(["order": 1.5], "order", "expected Int8, found number 1.5")
    expect(["share": 1e300], "share", "expected Float, found number 1e+300")
    expect(["due": "2024-01-01"], "due", "expected Date, found text")
    expect(["token": "x"], "token", "expected UUID, found text")
    expect(["tags": "x"], "tags", "expected a list of texts, found text")
    expect(
      ["levels": ["low", "middle"]], "levels.1",
      "Cannot initialize Priority from invalid String value middle")
    expect(["place": ["city": 1]], "place.city", "expected String, found integer 1")
    expect(["place": [:] as Metadata], "place.city", "expected a value, found nothing")
    expect(["place": "Bern"], "place", "expected a dictionary, found text")
    expect(["list": ["list", "work"]], "list", "expected Reference, found texts")
    let other = error { try Record(id: Reference(type: "list", name: "t")).value(as: Todo.self) }
    #expect(other?.context == ["record": "list/t", "type": "Todo", "expected": "todo"])
  }

  @Test func numbersAreReadAsTheTypeThatIsAskedFor() throws {
    let fields: Metadata = ["needed": true, "order": 5.0, "share": 3]
    let value = try Record(id: Reference(type: "todo", name: "t"), fields).value(as: Todo.self)
    #expect(value.order == 5 && value.share == 3 && value.id == "t")
  }
}
