extension FuzzTarget {
  /// The seeds of decoders of text.
  static let seedTexts: [String: [String]] = [
    "line": [
      #"{"kind":"identity","userID":"bob","displayName":"Bob","metadata":{"team":"Zürich","a":{"b":"c"}}}"#,
      #"{"kind":"identity","userID":"eve","metadata":{"n":-5,"r":2.50,"w":5.0,"on":true,"at":{"$date":"2023-11-14T22:13:20.5Z"},"deep":{"z":-0.0,"big":1e300}}}"#,
      #"{"kind":"identity","userID":"odd","metadata":{"a.b":1,"a\\b":{"$$date":"x"},"'\"":{"two words":true},"😀":"x","alice@example.org":{"in":"","NULL":2.5}}}"#,
      #"{"kind":"update","message":"m-1","metadata":{"set":{"readAt.'alice@example.org'":1,"'a.b'.\"\\\\\".-x":{"$$x":"y"}},"remove":["'\\''.'\\u{1F600}'","a.b"]}}"#,
      #"{"kind":"conversation","identifier":"lunch","participants":["alice","bob"],"createdAt":"2023-11-14T22:13:20.000001Z","isDistinct":true,"metadata":{"title":"Lunch"}}"#,
      #"{"kind":"message","identifier":"m-1","conversation":"lunch","sender":"bob","position":-5,"sentAt":"2023-11-14T22:13:20+02:00","receivedAt":"1969-12-31T23:59:59.5Z","isSent":false,"isUnread":true,"parts":[{"mimeType":"text/plain","text":"Noon? \u00e9 \ud83c\udf92"},{"mimeType":"image/png","base64":"iVBORw=="},{"mimeType":"image/png","url":"https://example.org/a","size":1048576}],"recipientStatus":{"alice":"read","bob":"pending"}}"#,
      #"{"kind":"announcement","identifier":"a-1","sender":"service","parts":[],"metadata":{"level":"high"}}"#,
      #"{"kind":"update","message":"m-1","set":{"position":9,"sentAt":null,"recipientStatus":{"bob":"read","eve":null}},"metadata":{"set":{"a":{"b":"c"}},"remove":["x.y"]}}"#,
      #"{"kind":"update","conversation":"lunch","set":{"participants":["bob"]},"metadata":{"merge":{"a":"b"}}}"#,
      #"{"kind":"update","identity":"bob","set":{"displayName":null,"followed":true}}"#,
      #"{"kind":"delete","conversation":"lunch"}"#,
      #"{"kind":"recordType","name":"todo","fields":{"any":"reference","done":"boolean","due":"date","list":"reference to list","order":"integer","share":"number","tags":"texts","title":"text"}}"#,
      #"{"kind":"record","type":"todo","identifier":"write","owner":"alice","createdAt":"2026-06-30T11:00:00Z","createdBy":"alice","updatedAt":"2026-06-30T11:05:00.5Z","updatedBy":"bob","fields":{"about":{"$reference":["messages","m1"]},"in":{"list":{"$reference":["list","Z\u00fcrich"]},"n":-5,"d":{"$date":"2023-11-14T22:13:20Z"},"odd":{"$$reference":"x"}},"tags":["b","a"],"share":2.0}}"#,
      #"{"kind":"update","record":["todo","write"],"set":{"owner":"bob","updatedAt":"2026-06-30T12:00:00Z","updatedBy":"bob","fields":{"list":{"$reference":["list","work"]}}}}"#,
      #"{"kind":"update","record":["todo","write"],"set":{"fields":null}}"#,
      #"{"kind":"delete","record":["list","work"]}"#,
      #"{"kind":"header","format":"satchel-interchange","version":1,"trailer":true}"#,
      #"{"kind":"trailer","counts":{"message":3},"sha256":"00ff"}"#,
    ],
    "json": [
      #"{"a":[1,-2.5e3,true,false,null,"x\n\u0041\ud83c\udf92"],"b":{"c":{}},"d":[]}"#,
      "9223372036854775807", "-9223372036854775808", "1.0", "1e2", "12345678901234567890", "1E-999", " [ ] ",
      #""\"\\\/\b\f\n\r\t""#,
    ],
    "base64": ["", "AA==", "AAA=", "AAAA", "Zm9vYmFy", "+/+/"],
    "date": [
      "2024-09-14T02:11:00Z", "2024-02-29t23:59:59.9999995z", "0000-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59.999999-23:59", "-000001-01-01T00:00:00Z", "+292277-01-09T04:00:54.775807Z",
      "2016-12-31T23:59:60Z",
    ],
    "predicate": [
      "isUnread = TRUE AND NOT sender.userID != 'alice' OR position BETWEEN {-3, 5}",
      "ANY parts (mimeType = 'image/png' AND NOT (size > 5 OR text = nil))",
      "ANY parts.mimeType BEGINSWITH[cd] 'image/' AND sentAt > 2026-01-31T09:30:00.25+01:00",
      "{'bob', \"eve\"} IN participants OR participants NOT IN { } OR NOT (lastMessage.isUnread == NO)",
      "metadata.team.'Alex Crichton' LIKE '%_\\\\%' && metadata = {'a': 'b', 'c': {'d': { }}}",
      "metadata.n > 5 AND metadata.due < 2024-01-01T00:00:00Z OR metadata.on OR metadata.n IN {1, 2.5} AND metadata != {'n': 5, 'on': TRUE, 'd': 2024-01-01T00:00:00Z}",
      "metadata.readAt.'alice@example.org' != nil AND metadata.'a.b'.\"it's\".'\\\\'.😀 IN {1} OR conversation.metadata.'\\u{1F600}'.AND = 'x'",
      "metadata = {'a.b': 1, 'a': {'b': 2, '\\'': {'😀': TRUE}}} AND 5 IN metadata.'two words'.NULL",
      "recipientStatus.bob IN {'read', 'delivered'} AND NONE parts.size > 1e3 AND TRUEPREDICATE",
      "#in = 5 AND text CONTAINS 'it\\'s \\u{1F600}' || position =< -9223372036854775808 OR a = nil",
      "ALL metadata.tags AUTOCOMPLETE[cd] 'ur la' OR displayName autocomplete %@",
      "conversation.metadata.title MATCHES 'x' AND createdAt != 1.5 AND unreadCount => 12345678901234567890",
      "participants = {'alice', 'bob'} AND displayName ENDSWITH[c] 'x' AND ALL parts.isText = TRUE",
    ],
    "metadataPath": [
      "title", "theme.color", "a\\.b", "a\\\\.b.c\\.d", "readAt.alice@example\\.org", "two words.😀.'\"",
      "-x.1.in", "caf\u{E9}.cafe\u{301}",
      "readAt.'alice@example.org'", "'a.b'.\"\\\\\".'\\u{1F600}'", "a..b", "a\\", "a\\b", "",
    ],
    "sortKeys": [
      "position", "-sentAt", "lastMessage.receivedAt,-position", "metadata.'a, b' , -#in",
      "metadata.readAt.'alice@example.org',-metadata.\"a.b\".'\\\\'",
    ],
    "batch": [
      #"{"from":"messages","where":"isUnread = TRUE","sort":["-sentAt","position"],"limit":20,"offset":5,"select":"identifiers","explain":true}"#,
      #"{"from":"conversations","sort":"-lastMessage.receivedAt","around":"lunch","limit":9223372036854775807}"#,
      #"{"from":"identities","after":"bob","select":"count"}"#, #"{"from":"parts","before":null,"limit":-1}"#,
    ],
    "pattern": [
      "\u{0}\u{5}a%b_ca long banana bread", "\u{4}\u{6}\\%\\_ÉÉcole %_e\u{301}", "\u{1}\u{2}abab",
      "\u{2}\u{3}bAbabAb", "\u{3}\u{3}cafcafé", "\u{B}\u{5}cafécafe\u{301} au lait",
      "\u{F}\u{4}STRASSE straße", "\u{8}\u{3}%%%", "\u{10}\u{8}caf mu aCafé Müller, don't",
    ],
    "nfc": [
      "e\u{301}", "a\u{316}\u{301}\u{316}\u{301}", "\u{1100}\u{1161}\u{11A8}", "\u{AC00}\u{11A8}",
      "\u{212B}\u{2126}\u{F900}", "\u{FB1D}\u{1D15E}", "q\u{307}\u{323}", "\u{FDFA}İıſß",
    ],
  ]
}
