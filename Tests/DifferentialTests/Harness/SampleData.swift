/// The small data set whose answers the rule tables give by hand. Alice's store.
enum SampleData {
  static let user = "alice"

  /// Lines that every import accepts. "café" stands in both spellings, as user ids that are two and as text that is one.
  static let accepted = objects + "\n" + records + "\n" + responses

  private static let objects = #"""
    {"kind":"header","format":"satchel-interchange","version":4}
    {"kind":"identity","userID":"alice","displayName":"Alice"}
    {"kind":"identity","userID":"bob","displayName":"Bob","firstName":"Robert","lastName":"Ärger","emailAddress":"bob@example.org","metadata":{"team":{"name":"red"}}}
    {"kind":"identity","userID":"carol","displayName":"Zoe\u0308","firstName":"carol"}
    {"kind":"identity","userID":"dave"}
    {"kind":"identity","userID":"caf\u00e9","displayName":"STRASSE"}
    {"kind":"identity","userID":"cafe\u0301","displayName":"straße","metadata":{"given":"cafe\u0301","composed":"caf\u00e9"}}
    {"kind":"identity","userID":"12345","displayName":"50%_off"}
    {"kind":"identity","userID":"a/b c","displayName":"\ud83d\ude00","phoneNumber":"+49 30 1"}
    {"kind":"conversation","identifier":"c1","participants":["alice","bob"],"createdAt":"2024-01-01T00:00:00Z","metadata":{"title":"Lunch","theme":{"color":"red"}}}
    {"kind":"conversation","identifier":"c2","participants":["carol","alice","carol"],"isDistinct":true,"metadata":{"title":"Cafe\u0301"}}
    {"kind":"conversation","identifier":"c3","participants":["bob","carol"],"metadata":{"title":"Lunch"}}
    {"kind":"conversation","identifier":"c4","participants":["alice","bob"]}
    {"kind":"conversation","identifier":"c5","participants":["alice"],"createdAt":"2024-01-01T00:00:00.0000004Z","metadata":{"title":{"sub":"x"}}}
    {"kind":"conversation","identifier":"c/6/😀","participants":["alice","bob","carol","dave"],"createdAt":"2023-12-31T23:59:59.9999996Z","metadata":{}}
    {"kind":"message","identifier":"m1","conversation":"c1","sender":"bob","position":10,"sentAt":"2024-03-01T10:00:00Z","receivedAt":"2024-03-01T10:00:01Z","isUnread":true,"parts":[{"mimeType":"text/plain","text":"Hello"}]}
    {"kind":"message","identifier":"m2","conversation":"c1","sender":"alice","position":5,"sentAt":"2024-03-01T10:00:00Z","receivedAt":"2024-03-01T10:00:00Z","isSent":true,"parts":[{"mimeType":"text/plain","text":"see"},{"mimeType":"image/png","base64":"AAEC"}]}
    {"kind":"message","identifier":"m3","conversation":"c1","sender":"alice","position":null,"isSent":false}
    {"kind":"message","identifier":"m4","conversation":"c2","sender":"carol","position":9007199254740993,"sentAt":"2024-02-29T12:00:00.123456Z","receivedAt":"2024-02-29T12:00:00.123456Z","isUnread":true,"parts":[{"mimeType":"IMAGE/PNG","url":"https://example.org/x.png","size":70000}]}
    {"kind":"message","identifier":"m5","conversation":"c3","sender":"bob","position":1,"isUnread":true,"parts":[{"mimeType":"text/plain","text":"Hello"}]}
    {"kind":"message","identifier":"m6","conversation":"c5","sender":"eve","position":-3,"parts":[{"mimeType":"text/plain","text":"na\u0308ive"},{"mimeType":"text/html","url":"https://example.org/"}]}
    {"kind":"message","identifier":"m7","conversation":"c/6/😀","sender":"carol","position":10,"sentAt":"2024-03-01T10:00:00.000Z","parts":[{"mimeType":"text/plain","text":""}],"recipientStatus":{"alice":"read","bob":"delivered"},"metadata":{"tag":"x","deep":{"a":"1"}}}
    {"kind":"message","identifier":"m8","conversation":"c/6/😀","sender":"dave","sentAt":"2024-03-02T00:00:00Z","isSent":false,"isUnread":true,"parts":[{"mimeType":"text/plain","text":"Hello"}],"recipientStatus":{"alice":"pending"},"metadata":{"n":5,"r":2.5,"on":true,"due":{"$date":"2024-01-01T00:00:00Z"},"mixed":"5","tags":["urgent","late","urgent"],"none":[]}}
    {"kind":"message","identifier":"m9","conversation":"c/6/😀","sender":"bob","isSent":false,"isUnread":true,"parts":[{"mimeType":"image/png","base64":""}],"metadata":{"n":5.0,"on":false,"mixed":9007199254740993,"tags":"urgent","a.b":1,"a":{"b":2},"read at":{"bob@example.org":true,"in":{"$$date":"x"}}}}
    {"kind":"announcement","identifier":"a1","sender":"system","position":1,"sentAt":"2024-04-01T00:00:00Z","isUnread":true,"parts":[{"mimeType":"text/plain","text":"Maintenance"}]}
    {"kind":"announcement","identifier":"a2","sender":"bob"}
    """#

  /// Lines that every import rejects after those: each repeats something or refers to nothing.
  static let rejected = #"""
    {"kind":"message","identifier":"m1","conversation":"c2","sender":"bob","position":77}
    {"kind":"message","identifier":"m10","conversation":"nowhere","sender":"bob"}
    {"kind":"identity","userID":"bob","displayName":"Another Bob"}
    {"kind":"conversation","identifier":"c1","participants":["alice"]}
    {"kind":"announcement","identifier":"m2","sender":"bob"}
    {"kind":"message","identifier":"m11","conversation":"c1"}
    {"kind":"message","identifier":"","conversation":"c1","sender":"bob"}
    {"kind":"message","identifier":"m12","conversation":"c1","sender":"bob","position":1.5}
    {"kind":"message","identifier":"m13","conversation":"c1","sender":"bob","sentAt":"yesterday"}
    {"kind":"conversation","identifier":"c7","participants":["alice"],"metadata":{"":"c"}}
    {"kind":"conversation","identifier":"c8","participants":["alice"],"metadata":{"a":[1]}}
    {"kind":"reaction","identifier":"r1"}
    """#

  static func model() -> ReferenceModel {
    ReferenceModel(user: user, lines: accepted + "\n" + rejected)
  }
}
