import SatchelModel
import SatchelQuery
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct CodingTests {
  @Test func queries() throws {
    let query = Message.filter { $0.metadata.a == "é" && !$0.isUnread }
      .order { ($0.sentAt.descending, $0.position) }.limit(5).around("x", before: 1, after: 2)
    let data = try JSONEncoder().encode(query)
    #expect(try JSONDecoder().decode(Query<Message>.self, from: data) == query)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Query<Identity>.self, from: data) }
  }

  @Test func whetherThereIsAnOrderIsCodedToo() throws {
    let query = Message.filter { $0.isUnread }.unordered()
    let data = try JSONEncoder().encode(query)
    #expect(try JSONDecoder().decode(Query<Message>.self, from: data) == query)
    // One that was written before there were others has an order.
    let text = String(decoding: data, as: UTF8.self)
    let old = text.replacing("\"isUnordered\":true,", with: "").replacing(",\"isUnordered\":true", with: "")
    #expect(old != text)
    #expect(
      try JSONDecoder().decode(Query<Message>.self, from: Data(old.utf8)) == Message.filter { $0.isUnread })
  }

  @Test func predicatesAreText() throws {
    let predicate = try QueryPredicate(format: "a = 'x' AND NOT b > 5")
    #expect(try JSONEncoder().encode([predicate]) == Data("[\"a = 'x' AND NOT b > 5\"]".utf8))
    #expect(throws: SatchelError.self) {
      try JSONDecoder().decode([QueryPredicate].self, from: Data("[\"a =\"]".utf8))
    }
    let tooLarge = QueryPredicate.and(Array(repeating: predicate, count: QueryPredicate.maximumNodes))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(tooLarge) }
  }
}
