import Satchel
import SatchelInterchange
import SatchelResponses
import SatchelScenes
import Testing

/// The record types that the library brings, in a store that keeps none of them.
@Suite struct LibraryTypeTests {
  /// A record of a type of the library's that is off asks for the call that switches it on, by whatever way it comes.
  @Test(arguments: StoreFeature.allCases)
  func whatIsOffIsNamed(_ feature: StoreFeature) throws {
    let store = try Scratch().store
    let record = Record(feature.recordType, name: "x")
    let header = #"{"kind":"header","format":"satchel-interchange","version":4}"#
    let uses: [(MessageStore) throws -> Void] = [
      { _ = try $0.count(feature.recordType.query) }, { try $0.write { _ = try $0.save(record) } },
      { try $0.write { _ = try $0.update(record.id) { _ in } } },
      { try $0.write { try $0.delete(record.id) } },
      { try $0.declare(Aggregate(named: "all", counting: feature.recordType.query)) },
    ]
    for use in uses {
      let error = failure(.unknownRecordType) { try use(store) }
      #expect(error?.context["call"] == "store.enable(.\(feature.rawValue))")
    }
    let lines = "\(header)\n{\"kind\":\"record\",\"type\":\"\(record.type)\",\"identifier\":\"x\"}\n"
    let error = failure(.rejectedLine) { try store.importLines(from: .bytes(lines.utf8)) }
    #expect(error?.context["reason"]?.contains("store.enable(.\(feature.rawValue))") == true)
  }
}
