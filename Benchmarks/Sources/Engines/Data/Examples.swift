/// The conversations that the metadata examples ask for, each with a message: those of Scripts/demo.sh.
enum Examples {
  private static let conversations = [
    ("nested", #"{"first":{"second":{"third":"NestedResult"}}}"#),
    ("nested-value", #"{"first":{"second":{"third":"value"}}}"#),
    ("blue", #"{"backgroundColor":"blue"}"#),
    ("red-with-title", #"{"backgroundColor":"red","title":"testUser"}"#),
    ("dictionary", #"{"1":{"2":"Hello","3":{"4":"Hola","5":"Hey"}},"6":"Hi"}"#),
  ]

  /// The lines that follow those of a generated chat.
  static var lines: String {
    var lines = ""
    for (index, (name, metadata)) in conversations.enumerated() {
      let minute = "2026-06-29T09:0\(index + 1)"
      lines += """
        {"kind":"conversation","identifier":"\(name)","participants":["alice","noah"],"createdAt":"\(minute):00Z",\
        "metadata":\(metadata)}
        {"kind":"message","identifier":"\(name)/hello","conversation":"\(name)","sender":"noah","position":0,\
        "sentAt":"\(minute):30Z","receivedAt":"\(minute):31Z","isUnread":true,\
        "parts":[{"mimeType":"text/plain","text":"Hello from \(name)"}]}

        """
    }
    return lines
  }
}
