import Foundation
import SatchelModel
import Testing

/// The coded form of objects against the lines of an export.
@Suite struct CodedObjectTests {
  /// A line is decoded, encoded again, and is the same but for its kind.
  @Test(arguments: ExporterTests.lines) func aLineIsTheCodedForm(_ line: String) throws {
    let decoder = JSONDecoder()
    let data = Data(line.utf8)
    var expected = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let kind = try #require(expected.removeValue(forKey: "kind") as? String)
    let object: any Encodable =
      switch kind {
      case "identity": try decoder.decode(Identity.self, from: data)
      case "conversation": try decoder.decode(Conversation.self, from: data)
      case "message": try decoder.decode(Message.self, from: data)
      default: try decoder.decode(Announcement.self, from: data)
      }
    let found = try JSONSerialization.jsonObject(with: JSONEncoder().encode(object)) as? [String: Any]
    #expect(found.map { NSDictionary(dictionary: $0) } == NSDictionary(dictionary: expected))
  }
}
