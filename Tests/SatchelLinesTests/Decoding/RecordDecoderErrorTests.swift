import SatchelLines
import Testing

/// Lines that break one rule each, and what is said of them.
@Suite struct RecordDecoderErrorTests {
  static let message = #""kind":"message","identifier":"m","conversation":"c","sender":"bob""#

  static let lines: [(line: String, reason: String)] = [
    ("", "not JSON: column 1: expected a value, found the end"),
    ("[]", "not JSON: column 1: expected an object, found '['"),
    (#"{"kind":"identity""#, "not JSON: column 19: expected ',' or '}', found the end"),
    (
      #"{"kind":"identity","kind":"identity"}"#,
      "not JSON: column 20: expected a key of its own, found one that this object has already"
    ),
    ("{}", "kind is missing"),
    (#"{"kind":null}"#, "kind is missing"),
    (#"{"kind":1}"#, "kind takes a text, not a number"),
    (#"{"kind":"picture"}"#, #"unknown kind "picture""#),
    (#"{"kind":"Message"}"#, #"unknown kind "Message""#),

    (#"{"kind":"header"}"#, "format is missing"),
    (#"{"kind":"header","format":"mbox","version":1}"#, #"the format is "mbox", not "satchel-interchange""#),
    (#"{"kind":"header","format":"satchel-interchange"}"#, "version is missing"),
    (
      #"{"kind":"header","format":"satchel-interchange","version":0}"#,
      "version 0 of the format does not exist"
    ),
    (
      #"{"kind":"header","format":"satchel-interchange","version":5}"#,
      "version 5 of the format is newer than 4, the newest that this program reads"
    ),
    (
      #"{"kind":"header","format":"satchel-interchange","version":1,"trailer":1}"#,
      "trailer takes true or false, not a number"
    ),
    (#"{"kind":"trailer","counts":[]}"#, "counts takes an object, not an array"),
    (
      #"{"kind":"trailer","counts":{"message":"2"}}"#,
      "counts.message takes a whole number of 64 bits, not a text"
    ),

    (#"{"kind":"identity"}"#, "userID is missing"),
    (#"{"kind":"identity","userID":7}"#, "userID takes a text, not a number"),
    (#"{"kind":"identity","userID":"u","displayName":true}"#, "displayName takes a text, not a Boolean"),
    (#"{"kind":"identity","userID":"u","followed":"yes"}"#, "followed takes true or false, not a text"),

    (#"{"kind":"conversation"}"#, "identifier is missing"),
    (
      #"{"kind":"conversation","identifier":"c","participants":"alice"}"#,
      "participants takes an array, not a text"
    ),
    (
      #"{"kind":"conversation","identifier":"c","participants":["alice",null]}"#,
      "participants[1] takes a user id, which is a text, not null"
    ),
    (
      #"{"kind":"conversation","identifier":"c","createdAt":0}"#,
      #"createdAt takes a date such as "2024-09-14T02:11:00Z", not a number"#
    ),
    (
      #"{"kind":"conversation","identifier":"c","createdAt":"2024-09-31T00:00:00Z"}"#,
      "createdAt takes a date such as 2024-09-14T02:11:00Z: not an RFC 3339 date: expected a day of the month, 01 to 30 at byte 9"
    ),
    (
      #"{"kind":"conversation","identifier":"c","isDistinct":0}"#,
      "isDistinct takes true or false, not a number"
    ),
    (#"{"kind":"conversation","identifier":"c","metadata":"x"}"#, "metadata takes an object, not a text"),
    (
      #"{"kind":"conversation","identifier":"c","metadata":{"a":{"b":[1]}}}"#,
      "metadata.a.b[0] takes a text, as lists have texts only, not a number"
    ),
    (
      #"{"kind":"conversation","identifier":"c","metadata":{"a":["b",null]}}"#,
      "metadata.a[1] takes a text, as lists have texts only, not null"
    ),
    (
      #"{"kind":"conversation","identifier":"c","metadata":{"a":1e999}}"#,
      "metadata.a takes a number within the range of a Double, not 1e999"
    ),
    (
      #"{"kind":"conversation","identifier":"c","metadata":{"a":{"$date":"today"}}}"#,
      "metadata.a.$date takes a date such as 2024-09-14T02:11:00Z: not an RFC 3339 date: expected a year of four digits at byte 1"
    ),
    (
      #"{"kind":"conversation","identifier":"c","metadata":{"a":{"$date":5}}}"#,
      #"metadata.a.$date takes a date such as "2024-09-14T02:11:00Z", not a number"#
    ),

    (#"{"kind":"message","conversation":"c","sender":"bob"}"#, "identifier is missing"),
    (#"{"kind":"message","identifier":"m","sender":"bob"}"#, "conversation is missing"),
    (#"{"kind":"message","identifier":"m","conversation":"c"}"#, "sender is missing"),
    (#"{"kind":"announcement","identifier":"m"}"#, "sender is missing"),
    ("{\(message),\"position\":1.5}", "position takes a whole number of 64 bits, not 1.5"),
    (
      "{\(message),\"position\":9223372036854775808}",
      "position takes a whole number of 64 bits, not 9223372036854775808"
    ),
    ("{\(message),\"position\":\"1\"}", "position takes a whole number of 64 bits, not a text"),
    ("{\(message),\"recipientStatus\":[]}", "recipientStatus takes an object, not an array"),
    (
      "{\(message),\"recipientStatus\":{\"bob\":\"seen\"}}",
      #"recipientStatus.bob takes pending, sent, delivered or read, not "seen""#
    ),
    (
      "{\(message),\"recipientStatus\":{\"bob\":3}}",
      "recipientStatus.bob takes pending, sent, delivered or read, not a number"
    ),
    (
      #"{"kind":"update","message":"m","set":{"transferStatus":{"0":"done"}}}"#,
      #"set.transferStatus.0 takes awaitingUpload, uploading, readyForDownload, downloading or complete, not "done""#
    ),
    (
      #"{"kind":"update","message":"m","set":{"transferStatus":{"01":"complete"}}}"#,
      #"set.transferStatus takes indices of parts as keys, not "01""#
    ),
    (
      #"{"kind":"update","message":"m","set":{"transferStatus":{"-1":"complete"}}}"#,
      #"set.transferStatus takes indices of parts as keys, not "-1""#
    ),
    (
      #"{"kind":"update","message":"m","set":{"transferStatus":["complete"]}}"#,
      "set.transferStatus takes an object, not an array"
    ),
    (
      "{\(message),\"parts\":[{\"mimeType\":\"a\",\"text\":\"\",\"transferStatus\":1}]}",
      "parts[0].transferStatus takes awaitingUpload, uploading, readyForDownload, downloading or complete, not a number"
    ),
    ("{\(message),\"parts\":{}}", "parts takes an array, not an object"),
    ("{\(message),\"parts\":[null]}", "parts[0] takes an object, not null"),
    ("{\(message),\"parts\":[{\"text\":\"\"}]}", "parts[0].mimeType is missing"),
    ("{\(message),\"parts\":[{\"mimeType\":\"a/b\"}]}", "parts[0] takes exactly one of text, base64 and url"),
    (
      "{\(message),\"parts\":[{\"mimeType\":\"a/b\",\"text\":\"\"},{\"mimeType\":\"a/b\",\"text\":\"\",\"base64\":\"\"}]}",
      "parts[1] takes exactly one of text, base64 and url"
    ),
    (
      "{\(message),\"parts\":[{\"mimeType\":\"a/b\",\"base64\":\"AAA\"}]}",
      "parts[0].base64 is not Base64 at byte 4: the length 3 is no multiple of four"
    ),
    (
      "{\(message),\"parts\":[{\"mimeType\":\"a/b\",\"url\":\"x\",\"size\":-1}]}",
      "parts[0].size takes a number of bytes, not -1"
    ),

    (#"{"kind":"delete"}"#, "a delete takes exactly one of message, conversation and record"),
    (
      #"{"kind":"delete","message":"m","conversation":"c"}"#,
      "a delete takes exactly one of message, conversation and record"
    ),
    (#"{"kind":"delete","identity":"u"}"#, "a delete takes exactly one of message, conversation and record"),
    (
      #"{"kind":"update","set":{}}"#,
      "an update takes exactly one of message, conversation, identity and record"
    ),
    (#"{"kind":"update","message":"m","set":[]}"#, "set takes an object, not an array"),
    (
      #"{"kind":"update","message":"m","set":{"sender":"x"}}"#,
      "set.sender: the sender of a message cannot be changed"
    ),
    (
      #"{"kind":"update","message":"m","set":{"isUnread":1}}"#,
      "set.isUnread takes true or false, not a number"
    ),
    (
      #"{"kind":"update","message":"m","set":{"recipientStatus":[]}}"#,
      "set.recipientStatus takes an object, not an array"
    ),
    (
      #"{"kind":"update","conversation":"c","set":{"metadata":{}}}"#,
      #"set.metadata: metadata is changed by "metadata" beside "set""#
    ),
    (
      #"{"kind":"update","conversation":"c","metadata":{"set":{"a":[{}]}}}"#,
      "metadata.set.a[0] takes a text, as lists have texts only, not an object"
    ),
    (
      #"{"kind":"update","conversation":"c","metadata":{"remove":[1]}}"#,
      "metadata.remove[0] takes a key path, which is a text, not a number"
    ),
  ]

  @Test(arguments: lines.indices) func saysWhatIsWrong(_ index: Int) {
    let (line, reason) = Self.lines[index]
    var decoder = RecordDecoder()
    do {
      let result = try decoder.decode(Array(line.utf8))
      Issue.record("\(line) was read as \(result)")
    } catch {
      #expect(error.reason == reason)
    }
  }

  @Test func saysWhereUTF8Ends() {
    var decoder = RecordDecoder()
    let line = Array(#"{"kind":"identity","userID":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    #expect(throws: LineError("not JSON: column 30: expected UTF-8, found byte 0xFF")) {
      try decoder.decode(line)
    }
  }
}
