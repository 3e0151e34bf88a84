import Foundation
import Satchel
import SatchelExecution
import SatchelInterchange
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// An import tells of the first line that is wrong, whenever it turns out to be.
@Suite struct FirstImportErrorTests {
  private static let header = #"{"kind":"header","format":"satchel-interchange","version":4}"#
  private static let valid = [
    #"{"kind":"conversation","identifier":"%","participants":["alice","bob"]}"#,
    #"{"kind":"identity","userID":"%"}"#,
    #"{"kind":"message","identifier":"%","conversation":"room","sender":"bob","parts":[]}"#,
    #"{"kind":"record","type":"todo","identifier":"%","fields":{"title":"x"}}"#,
    #"{"kind":"update","conversation":"room","metadata":{"set":{"k%":"x"}}}"#,
    #"{"kind":"index","name":"i%","from":"messages","columns":["sentAt"]}"#,
  ]
  /// Wrong lines, and what their errors say: some are no lines, some are found out at once, some when all others are in the store.
  private static let wrong = [
    ("{", ""), (#"{"kind":"identity"}"#, "userID"),
    (#"{"kind":"identity","userID":"alice"}"#, "An identity with that user id is in the store already"),
    (
      #"{"kind":"message","identifier":"x","conversation":"none","sender":"bob"}"#,
      "No conversation has that identifier"
    ),
    (#"{"kind":"record","type":"todo","identifier":"x","fields":{"title":5}}"#, "title"),
    (#"{"kind":"record","type":"none","identifier":"x"}"#, "No record type of that name is declared"),
    (#"{"kind":"update","message":"none","set":{"isUnread":true}}"#, "No message"),
    (#"{"kind":"delete","record":["todo","none"]}"#, "No record of the type has that name"),
    (
      #"{"kind":"index","name":"wrong","from":"messages","columns":["colour"]}"#, "no such queryable property"
    ),
  ]

  @Test(arguments: [false, true])
  func theFirstLineThatIsWrongIsTold(isNew: Bool) throws {
    let seed = TestEnvironment.seed(for: "first errors \(isNew)")
    var random = SeededGenerator(seed: seed)
    let scratch = try Scratch()
    let before = [
      #"{"kind":"recordType","name":"todo","fields":{"title":"text"}}"#,
      #"{"kind":"identity","userID":"alice"}"#,
      #"{"kind":"conversation","identifier":"room","participants":["alice","bob"]}"#,
    ]
    if !isNew { try scratch.store.importLines(from: .bytes(Self.text(before))) }
    for round in 0..<60 {
      var lines = isNew ? before : []
      func addValid(_ count: Int) {
        for _ in 0..<count {
          lines.append(random.pick(Self.valid).replacing("%", with: "n\(lines.count)"))
        }
      }
      addValid(random.below(5))
      let first = lines.count + 2
      let (line, reason) = random.pick(Self.wrong)
      lines.append(line)
      for _ in 0..<1 + random.below(3) {
        addValid(random.below(3))
        lines.append(random.pick(Self.wrong).0)
      }
      let error = #expect(throws: (any Error).self) {
        if isNew {
          let path = scratch.directory.url.appendingPathComponent("new").path
          var options = Store.Options()
          options.aggregateEvaluator = QueryAggregateEvaluator()
          _ = try Importer(.bytes(Self.text(lines))).run(into: path, user: "alice", options: options)
        } else {
          try scratch.store.importLines(from: .bytes(Self.text(lines)))
        }
      }
      let told = "\(try #require(error))"
      let place = isNew ? "line \(first): " : "line: \(first)"
      #expect(
        told.contains(place) && (reason.isEmpty || told.contains(reason)),
        "round \(round), seed \(seed): \(told), not line \(first)")
    }
    // Nothing of them is there.
    let store = scratch.store
    #expect(try store.count(Message.all) == 0 && store.types().map(\.records) == (isNew ? [] : [0]))
    #expect(try store.indexes().isEmpty)
    try expectSound(store)
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    Array((([header] + lines).joined(separator: "\n") + "\n").utf8)
  }
}
