import Satchel
import SatchelInterchange
import SatchelModel
import SatchelQuery
import TerminalInterface

/// The results of a query in columns, for people.
enum ObjectTable {
  static func write(
    _ description: QueryDescription, _ snapshot: StoreSnapshot, _ note: (ResultObject) -> Void,
    to output: inout Output
  ) throws {
    var table = Table(columns(of: description.kind))
    try snapshot.forEachObject(description) { object in
      note(object)
      try table.add(cells(object) { try snapshot.content(of: $0, in: excerpt) }, to: &output)
    }
    try table.end(&output)
  }

  /// Which bytes are shown of a text that is stored apart from its message.
  static let excerpt = 0..<400

  /// The columns of a kind's objects.
  static func columns(of kind: ObjectKind) -> [Table.Column] {
    switch kind {
    case .conversations:
      [
        .init("identifier", limit: 28), .init("participants", limit: 28, expendability: 1),
        .init("messages", isNumber: true, expendability: 2),
        .init("unread", isNumber: true), .init("last message", limit: 20, least: 20), .init("metadata"),
      ]
    case .messages:
      [
        .init("sent", limit: 20, least: 20), .init("conversation", limit: 16, expendability: 1),
        .init("position", isNumber: true, expendability: 2),
        .init("sender", limit: 16), .init("", limit: 1), .init("identifier", limit: 12), .init("content"),
      ]
    case .announcements:
      [
        .init("sent", limit: 20, least: 20), .init("sender", limit: 16), .init("", limit: 1),
        .init("identifier", limit: 20),
        .init("content"),
      ]
    case .parts:
      [
        .init("identifier", limit: 32), .init("type", limit: 24), .init("size", isNumber: true),
        .init("content"),
      ]
    case .identities:
      [
        .init("user", limit: 24), .init("name", limit: 28), .init("mail", limit: 32),
        .init("phone", limit: 20),
        .init("metadata"),
      ]
    case .records:
      [
        .init("identifier", limit: 36), .init("owner", limit: 16, expendability: 1),
        .init("updated", limit: 20, least: 20, expendability: 2), .init("fields"),
      ]
    }
  }

  /// Returns what the columns show of an object.
  /// - Parameter read: Reads the beginning of a text that is stored apart from its message.
  static func cells(_ object: ResultObject, read: (MessagePart.ID) throws -> [UInt8]) throws -> [String] {
    switch object {
    case .conversation(let value):
      [
        value.id.rawValue, value.participants.map(\.rawValue).joined(separator: ", "),
        String(value.messageCount),
        String(value.unreadCount), date(value.lastMessage?.sentTimestamp), text(value.metadata),
      ]
    case .message(let value):
      [
        date(value.sentTimestamp), value.conversation.rawValue, value.position.map(String.init) ?? "unsent",
        value.sender.rawValue, value.isUnread ? "●" : "", value.id.rawValue,
        try content(value.parts, read),
      ]
    case .announcement(let value):
      [
        date(value.sentTimestamp), value.sender.rawValue, value.isUnread ? "●" : "", value.id.rawValue,
        try content(value.parts, read),
      ]
    case .part(let value):
      [
        value.id.rawValue, value.mimeType, value.size.map(String.init) ?? "", try content(value, read),
      ]
    case .identity(let value):
      [
        value.userID.rawValue, value.displayName ?? "", value.emailAddress ?? "", value.phoneNumber ?? "",
        text(value.metadata),
      ]
    case .record(let value):
      [
        value.id.name, value.owner?.rawValue ?? "", date(value.updatedTimestamp), text(value.fields),
      ]
    }
  }

  static func date(_ date: Timestamp?) -> String {
    guard let date else { return "" }
    // Seconds are enough: fractions matter to programs. A date beyond the format's years is shown as it is stored.
    let fraction = (date.microseconds % 1_000_000 + 1_000_000) % 1_000_000
    let (seconds, isBeyond) = date.microseconds.subtractingReportingOverflow(fraction)
    guard !isBeyond else { return "\(date.microseconds) µs" }
    return (try? RFC3339.format(microseconds: seconds)) ?? "\(date.microseconds) µs"
  }

  private static func text(_ metadata: Metadata) -> String {
    var texts: [String] = []
    metadata.forEachValue { path, value in texts.append(path.spelledPath + "=" + value.plain) }
    return texts.joined(separator: " ")
  }

  private static func content(
    _ parts: [MessagePart], _ read: (MessagePart.ID) throws -> [UInt8]
  ) throws -> String {
    try parts.map { try content($0, read) }.joined(separator: " ")
  }

  /// Returns the beginning of a text, or a description of any other content.
  private static func content(
    _ part: MessagePart, _ read: (MessagePart.ID) throws -> [UInt8]
  ) throws -> String {
    switch part.content {
    case .text(let text): return text
    case .storedText: return String(decoding: try read(part.id), as: UTF8.self)
    case .data, .storedData: return "[\(part.mimeType), \(part.size ?? 0) bytes]"
    case .url(let url): return "[\(part.mimeType): \(url)]"
    }
  }
}
