import Foundation
import Testing

@Suite struct BatchTests {
  /// Lines of a batch and the lines that they give, or how those begin.
  static let exchanges: [(query: String, answer: String)] = [
    (#"{"from":"messages","select":"count"}"#, #"{"count":3}"#),
    (
      #"{"from":"messages","where":"isUnread = true","sort":["-position"],"limit":20,"offset":0,"select":"identifiers"}"#,
      #"{"identifiers":["m3","m1"]}"#
    ),
    (
      #"{"from":"messages","sort":"sender.userID,-position","select":"identifiers"}"#,
      #"{"identifiers":["m2","m3","m1"]}"#
    ),
    (
      #"{"from":"identities","membersOf":"nowhere","sort":["userID"],"select":"identifiers"}"#,
      #"{"identifiers":[]}"#
    ),
    (#"{"from":"messages","membersOf":"nowhere"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","after":"m2","select":"identifiers"}"#, #"{"identifiers":["m3"]}"#),
    (
      #"{"from":"messages","around":"m2","limit":1,"select":"identifiers","where":null}"#,
      #"{"identifiers":["m2"]}"#
    ),
    (
      #"{"from":"parts","where":"mimeType BEGINSWITH 'image/'"}"#,
      #"{"objects":[{"identifier":"m2/parts/1","message":"m2","index":1,"mimeType":"image/png","base64":"iVBO"}]}"#
    ),
    (#"{"from":"announcements","where":"isUnread = TRUE","select":"objects"}"#, #"{"objects":[]}"#),
    (
      #"{"from":"parts","id":"m2/parts/1"}"#,
      #"{"objects":[{"identifier":"m2/parts/1","message":"m2","index":1,"mimeType":"image/png","base64":"iVBO"}]}"#
    ),
    (
      #"{"from":"messages","id":["m3","nobody","m1"],"select":"identifiers"}"#,
      #"{"identifiers":["m3","m1"]}"#
    ),
    (#"{"from":"messages","id":"m2","select":"count","where":null}"#, #"{"count":1}"#),
    (#"{"from":"messages","id":[]}"#, #"{"objects":[]}"#),
    (#"{"from":"conversations","id":"nobody"}"#, #"{"objects":[]}"#),
    (#"{"from":"messages","id":null,"select":"count"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","id":[],"select":"count"}"#, #"{"count":0}"#),
    (#"{"from":"messages","id":7}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","id":["m1",7]}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","id":"m1","limit":1}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","explain":true,"id":"m1"}"#, #"{"error":{"code":"invalidValue","message":""#),
    ("", #"{"error":{"code":"syntaxError","message":""#),
    ("nonsense", #"{"error":{"code":"syntaxError","message":""#),
    ("[]", #"{"error":{"code":"syntaxError","message":""#),
    (#"{"from":"messages","where":"position ="}"#, #"{"error":{"code":"syntaxError","message":""#),
    (#"{"from":"messages","where":"color = 1"}"#, #"{"error":{"code":"unqueryableProperty","message":""#),
    (
      #"{"from":"messages","where":"isUnread < TRUE"}"#,
      #"{"error":{"code":"unsupportedPredicate","message":""#
    ),
    (#"{"from":"messages","where":"position = 'a'"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (
      #"{"from":"conversations","sort":["participants"]}"#, #"{"error":{"code":"unsupportedSort","message":""#
    ),
    (#"{"from":"messages","limit":-1}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","limit":"3"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","colour":"red"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"pictures"}"#, #"{"error":{"code":"unknownRecordType","message":""#),
    (#"{"from":"pictures","id":"p"}"#, #"{"error":{"code":"unknownRecordType","message":""#),
    (#"{"from":"records"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"my pictures"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"select":"count"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","after":"m1","before":"m2"}"#, #"{"error":{"code":"invalidValue","message":""#),
    (#"{"from":"messages","select":"count","explain":true}"#, #"{"count":3,"plan":""#),
  ]

  @Test func givesALineForEachLine() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let result = try Tool.run(
      "query", store, "--batch", input: Self.exchanges.map { $0.query + "\n" }.joined())
    #expect(result.status == 0)
    #expect(result.errors == "")
    try #require(result.lines.count == Self.exchanges.count)
    for (line, exchange) in zip(result.lines, Self.exchanges) {
      #expect(line.hasPrefix(exchange.answer), "\(exchange.query) gave \(line)")
    }
  }

  @Test func errorsNameTheProperty() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let input =
      #"{"from":"messages","where":"color = 1"}"# + "\n" + #"{"from":"messages","limit":"3"}"# + "\n"
    let result = try Tool.run("query", store, "--batch", input: input)
    #expect(result.lines.count == 2)
    #expect(result.lines.first?.hasSuffix(#","property":"color"}}"#) == true)
    #expect(result.lines.last?.hasSuffix(#","property":"limit"}}"#) == true)
  }

  /// A driver may wait for each answer before it asks the next question, and sees what was committed in between.
  @Test func answersAtOnce() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let more = try directory.write(
      "more.jsonl",
      lines: [Sample.header, #"{"kind":"message","identifier":"m4","conversation":"lunch","sender":"bob"}"#])
    let result = try Tool.shell(
      """
      coproc "$satchel" query "$1" --batch
      count='{"from":"messages","select":"count"}'
      echo "$count" >&"${COPROC[1]}"; read -r -t 60 first <&"${COPROC[0]}"
      "$satchel" import "$1" "$2" >/dev/null
      echo "$count" >&"${COPROC[1]}"; read -r -t 60 second <&"${COPROC[0]}"
      echo "$first $second"
      """, store, more)
    #expect(result.output == #"{"count":3} {"count":4}"# + "\n")
  }
}
