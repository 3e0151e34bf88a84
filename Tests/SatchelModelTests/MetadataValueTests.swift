import SatchelModel
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Metadata as programs make, change, walk and code it.
@Suite struct MetadataValueTests {
  @Test func literalsTakeVariables() {
    let (title, color) = ("Lunch", "red")
    let nested: Metadata = ["k": "v"]
    let made: Metadata = [
      "title": title, "part": title.prefix(2), "nested": nested, "named": .text(color),
      "given": .dictionary([:]),
      "theme": ["color": color, "more": ["a": "b", "c": color, "nested": nested, "none": [:]]],
    ]
    #expect(
      made.description
        == #"["given": [:], "named": "red", "nested": ["k": "v"], "part": "Lu", "#
        + #""theme": ["color": "red", "more": ["a": "b", "c": "red", "nested": ["k": "v"], "none": [:]]], "#
        + #""title": "Lunch"]"#)
    #expect((["a": title, "a": color] as Metadata)["a"] == "red")
    let value: MetadataValue = ["color": color, "more": ["a": title]]
    #expect(value == .dictionary(["more": ["a": "Lunch"], "color": "red"]))
    let texts = ["title": "Lunch", "a": "b"]
    #expect(Metadata(texts) == ["a": "b", "title": "Lunch"])
    #expect(Metadata(["theme": nested])["theme.k"] == "v")
    #expect(Metadata([String: String]()).isEmpty)
  }

  @Test func aTextIsSetAtAPath() throws {
    var metadata = Metadata()
    metadata["theme.color"] = "red"
    metadata["theme.size"] = "large"
    metadata["title"] = "Lunch"
    metadata["title"]?.append("!")
    #expect(metadata == ["theme": ["color": "red", "size": "large"], "title": "Lunch!"])
    #expect(metadata["theme"] == nil && metadata["theme.color"] == "red")
    metadata["title.more"] = "x"
    metadata["theme.color"] = nil
    metadata["missing.key"] = nil
    #expect(metadata == ["theme": ["size": "large"], "title": ["more": "x"]])
    metadata["theme"] = nil
    #expect(metadata == ["title": ["more": "x"]])
    try metadata.set(["a": "b"], at: "title")
    #expect(metadata == ["title": ["a": "b"]])
    let text = "c"
    try metadata.set(text, at: "title.a")
    #expect(metadata["title.a"] == "c")
  }

  @Test(arguments: [
    "", ".", "a..b", "a.", "a\0b", String(repeating: "é", count: 129),
    String(repeating: "a.", count: 100) + "a",
  ])
  func aPathThatIsNotValidIsRefusedLater(_ path: String) {
    var metadata: Metadata = ["a": ["b": "1"]]
    #expect(metadata[path] == nil)
    metadata[path] = "x"
    // It is what was set, and no store takes it.
    #expect(metadata[path] == "x")
    let error = #expect(throws: SatchelError.self) { try metadata.validate() }
    #expect(error?.code == (path.hasPrefix("a.a.") ? .invalidValue : .invalidKey))
    metadata[path] = nil
    #expect(metadata[path] == nil)
    #expect(metadata["a.b"] == "1")
  }

  @Test func theSubscriptSetsAsSetDoes() throws {
    var random = SeededGenerator()
    var expected = Metadata()
    var found = Metadata()
    for _ in 0..<TestEnvironment.rounds(2000) {
      let path = (0..<1 + random.below(3)).map { _ in "k\(random.below(3))" }.joined(separator: ".")
      if random.oneIn(3) {
        found[path] = nil
        try expected.remove(at: path)
      } else {
        let text = "\(random.below(100))"
        found[path] = text
        try expected.set(text, at: path)
        #expect(found[path] == text)
      }
      #expect(found == expected)
    }
  }

  @Test func itIsASequence() {
    let metadata: Metadata = ["b": ["x": "y"], "a": "1", "c": "2"]
    var seen: [String] = []
    for (key, value) in metadata {
      seen.append(key)
      #expect(metadata.value(forKey: key) == value)
    }
    #expect(seen == ["a", "b", "c"])
    #expect(metadata.underestimatedCount == 3)
    #expect(metadata.first { $0.key == "b" }?.value == .dictionary(["x": "y"]))
    #expect(Array(Metadata()).isEmpty)
  }

  @Test func itIsCodedAsNestedTexts() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let metadata: Metadata = ["theme": ["color": "red", "none": [:]], "title": "Lunch", "1": "one"]
    let json = #"{"1":"one","theme":{"color":"red","none":{}},"title":"Lunch"}"#
    #expect(String(decoding: try encoder.encode(metadata), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(Metadata.self, from: Data(json.utf8)) == metadata)
    let absent = #"{"a":null,"b":{"c":null},"d":"e"}"#
    #expect(try JSONDecoder().decode(Metadata.self, from: Data(absent.utf8)) == ["b": [:], "d": "e"])
    let list = try PropertyListEncoder().encode(["m": metadata])
    #expect(try PropertyListDecoder().decode([String: Metadata].self, from: list) == ["m": metadata])
  }

  @Test(arguments: [
    "1", "[]", #"{"a":["b",1]}"#, #"{"a":[1]}"#, #"{"a\u0000b":"c"}"#, #"{"":"c"}"#,
    #"{"a":{"$date":"x"}}"#, #"{"a":{"$date":1}}"#, #"{"a":{"$number":"x"}}"#, #"{"a":{"$number":"inf"}}"#,
    #"{"a":{"$date":"2026-01-31T09:30:00Z","":"c"}}"#,
    #"{"a":""# + String(repeating: "x", count: 2049) + #""}"#,
    String(repeating: #"{"a":"#, count: 65) + #""x""# + String(repeating: "}", count: 65),
  ])
  func whatIsNoMetadataIsNotDecoded(_ json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Metadata.self, from: Data(json.utf8)) }
  }

  @Test func literalsTakeValuesOfAllTypes() {
    let (count, due) = (3, Date(timeIntervalSince1970: 1))
    let made: Metadata = [
      "count": count, "ratio": 2.5, "whole": 5.0, "muted": true, "due": due, "at": Timestamp(microseconds: 7),
      "small": 3 as UInt8, "half": 0.5 as Float, "theme": ["dark": false, "size": -12],
    ]
    #expect(
      made.description
        == #"["at": 1970-01-01T00:00:00.000007Z, "count": 3, "due": 1970-01-01T00:00:01Z, "half": 0.5, "#
        + #""muted": true, "ratio": 2.5, "small": 3, "theme": ["dark": false, "size": -12], "whole": 5.0]"#)
    #expect(made.value(at: "theme.size") == -12 && made.value(at: "theme.size")?.integerValue == -12)
    #expect(made.value(at: "whole")?.integerValue == 5 && made.value(at: "ratio")?.integerValue == nil)
    #expect(made.value(at: "count")?.numberValue == 3 && made.value(at: "muted")?.booleanValue == true)
    #expect(made.value(at: "due")?.timestampValue == Timestamp(microseconds: 1_000_000))
    #expect(
      made["count"] == nil && made.value(at: "count")?.textValue == nil && made.value(at: "none") == nil)
    let given: Metadata = ["a": .integer(1), "b": .number(1), "c": .boolean(true), "d": .date(.init(due))]
    #expect(
      given.value(forKey: "a") == 1 && given.value(forKey: "b") == 1.0 && given.value(forKey: "c") == true)
  }

  @Test func valuesOfAllTypesAreCoded() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let metadata: Metadata = [
      "a": 5, "b": 2.5, "c": 5.0, "d": -0.0, "e": true, "f": Timestamp(microseconds: 1), "g": 1e300,
      "h": Int64.max, "i": 1 << 53 + 1, "j": ["k": false],
    ]
    let json =
      #"{"a":5,"b":2.5,"c":{"$number":"5.0"},"d":{"$number":"-0.0"},"e":true,"#
      + #""f":{"$date":"1970-01-01T00:00:00.000001Z"},"g":{"$number":"1e+300"},"h":9223372036854775807,"#
      + #""i":9007199254740993,"j":{"k":false}}"#
    #expect(String(decoding: try encoder.encode(metadata), as: UTF8.self) == json)
    let decoded = try JSONDecoder().decode(Metadata.self, from: Data(json.utf8))
    #expect(decoded.hasSameBytes(as: metadata))
    let list = try PropertyListEncoder().encode(["m": metadata])
    #expect(
      try PropertyListDecoder().decode([String: Metadata].self, from: list)["m"]?.hasSameBytes(as: metadata)
        == true)
  }

  @Test func whatNoStoreTakesIsNotEncoded() {
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(["a": Double.nan] as Metadata) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(["": "c"] as Metadata) }
    let long = String(repeating: "x", count: Metadata.maximumValueBytes + 1)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(["a": ["b": long]] as Metadata) }
  }

  @Test func theDeepestIsCoded() throws {
    var metadata: Metadata = ["a": "x"]
    for _ in 1..<Metadata.maximumDepth { metadata = ["a": metadata] }
    try metadata.validate()
    #expect(try JSONDecoder().decode(Metadata.self, from: JSONEncoder().encode(metadata)) == metadata)
  }
}
