internal import LMDBPages
internal import SatchelCoding

extension PageSalvage.LostRange {
  /// The lost range of keys, in readable form.
  var text: String {
    func name(_ key: [UInt8]) -> String {
      unsafe key.withUnsafeBytes { bytes in
        if let message = unsafe try? MessageKey(messages: bytes) {
          return "conversation \(message.conversation), message \(message.sequence)"
        }
        if let body = unsafe try? BodyKey(bytes) {
          return "message \(body.message.conversation)/\(body.message.sequence), part \(body.part)"
        }
        if let object = unsafe try? ObjectKey(bytes) { return Self.name(object) }
        return "\(key)"
      }
    }
    guard let table = table else {
      return "page \(page): all tables were looked for in the whole file"
    }
    if upper == lower + [0] { return "\(table): the record of \(name(lower)) is damaged" }
    let lower = lower.isEmpty ? "the beginning" : name(lower)
    let upper = upper.map(name) ?? "the end"
    return "\(table): page \(page) is damaged, with what lay between \(lower) and \(upper)"
  }

  private static func name(_ key: ObjectKey) -> String {
    switch key {
    case .header: "the header"
    case .seal: "the seal"
    case .conversation(let row): "conversation \(row)"
    case .identity(let row): "identity \(row)"
    case .announcement(let sequence): "announcement \(sequence)"
    case .dictionary(let kind, let id): "entry \(id) of the dictionary \(kind)"
    case .changeLog(let commit): "entry \(commit) of the change log"
    case .consumer(let id): "consumer \(id)"
    case .purge(let message): "entry \(message.conversation)/\(message.sequence) of the purge queue"
    case .staging(let number, let ordinal): "entry \(ordinal) of import \(number)"
    case .aggregate(let id): "aggregate \(id)"
    case .deletedMessages(let conversation, _): "deleted messages of conversation \(conversation)"
    case .deletedConversation: "a deleted conversation"
    case .indexBuild: "how far indexes have been built"
    case .declaredIndex(let id): "declared index \(id)"
    case .recordType(let id): "record type \(id)"
    case .record(let key): "record \(key.type)/\(key.sequence)"
    }
  }
}
