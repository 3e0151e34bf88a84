import ArgumentParser
import Satchel
import SatchelModel
import SatchelQuery
import TerminalInterface

/// `satchel mark-read`: marks messages as read.
struct MarkReadCommand: ParsableCommand, TakesKinds {
  static let kinds = [ObjectKind.messages, .announcements, .conversations]
  static let configuration = CommandConfiguration(
    commandName: "mark-read",
    abstract: "Marks messages or announcements as read, or all messages of conversations.",
    discussion: """
      Prints how many were unread. All of them are marked or, if one of the identifiers is none, none is.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "messages, announcements or conversations.")
  var kind: ObjectKind

  @Argument(help: "The identifiers.")
  var identifiers: [String]

  @OptionGroup var writing: WriteOptions

  func validate() throws {
    guard Self.kinds.contains(kind) else {
      throw ValidationError("mark-read takes messages, announcements or conversations, not \(kind.rawValue)")
    }
  }

  func run() throws {
    let count = try writing.write(store.store) { transaction in
      if kind == .conversations {
        return try identifiers.reduce(0) { try $0 + transaction.markAsRead(Conversation.ID($1)) }
      }
      let unread = QueryPredicate.and([
        .comparison(.init(["identifier"], .in, .list(identifiers.map { .text($0) }))),
        .comparison(.init(["isUnread"], .equal, .boolean(true))),
      ])
      let count = try transaction.read { try $0.count(QueryDescription(kind: kind, predicate: unread)) }
      if kind == .messages {
        try transaction.markAsRead(identifiers.map { Message.ID($0) })
      } else {
        for identifier in identifiers { try transaction.markAsRead(Announcement.ID(identifier)) }
      }
      return count
    }
    var output = Output()
    try output.line(String(count))
    try output.flush()
  }
}
