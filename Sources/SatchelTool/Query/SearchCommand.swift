import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelQuery
import SatchelSearch
import SatchelStorage
import SatchelText
import TerminalInterface

/// `satchel search`: the messages with a text that a pattern finds, the newest first.
struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Finds messages by the words of their texts, the newest first.",
    discussion: """
      A pattern is words, of which a text has to have all: noon OR "usual place" lunc* -late. OR, AND, NOT and parentheses join \
      them, quotation marks make a phrase, a star stands where a word may go on, and - before what must not be there. Case and diacritics \
      are ignored. A pattern that begins with - stands behind --.

      Each message is a line: when, who, in which conversation, and the piece of the text with what was found, which is bold at a \
      terminal. As JSON, "highlights" are from where to where in "snippet", in Unicode scalars, and "part" is which of the message's \
      parts it is, from 0. Without --limit, a list at a terminal ends after 1,000 messages.

      The same for any other text, such as titles and names: satchel query STORE conversations --where "metadata.title MATCHES-TEXT \
      'lunc*'".
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "What to look for.")
  var pattern: String

  @Option(
    name: .customLong("in"), parsing: .unconditional,
    help: ArgumentHelp("Only in this conversation.", valueName: "conversation"))
  var conversation: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("At most so many messages.", valueName: "number"))
  var limit: Int?

  @OptionGroup var format: FormatOption
  @OptionGroup var lease: LeaseOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on, not \(limit)") }
  }

  func run() throws {
    let pattern = try SearchPattern(pattern)
    let stream = OutputStream(behind: WriteBehind(1))
    let isCut = Terminal.isOutput && format.resolved == .table && limit == nil
    do {
      try store.read { snapshot in
        stream.hold(ReaderLease(snapshot.base, lease.limits))
        var output = Output(stream)
        var written = 0
        try snapshot.forEach(query(pattern, in: snapshot, limit: isCut ? Self.mostRows : limit)) { message in
          guard let hit = try SearchHitLine(of: pattern, in: message, snapshot) else { return }
          written += 1
          switch format.resolved {
          case .table: try output.line(hit.pieces)
          case .json: try output.write(hit.json)
          }
        }
        if format.resolved == .table, written == 0 { try output.line("no messages") }
        if isCut, written == Self.mostRows { try output.line("\(written) messages: --limit shows more") }
      }
    } catch let error as SatchelError where error.code == .snapshotExpired {
      // What was read is whole lines. Their reader may now take them without a snapshot.
      try stream.finish()
      throw ToolError("\(error): ask for fewer with --limit, or with --in a conversation")
    }
    try stream.finish()
  }

  /// The most messages that are shown at a terminal to somebody who has set no limit.
  private static let mostRows = 1000

  private func query(_ pattern: SearchPattern, in snapshot: StoreSnapshot, limit: Int?) throws
    -> Query<Message>
  {
    var query = Message.filter { $0.parts.any { $0.text.matches(pattern) } }
    if let conversation {
      let id = Conversation.ID(conversation)
      guard try snapshot.conversation(id) != nil else {
        throw ToolError("--in takes the identifier of a conversation of the store, not \"\(conversation)\"")
      }
      query = query.filter { $0.conversation == id }
    }
    query = query.order { $0.sentAt.descending }
    return limit.map { query.limit($0) } ?? query
  }
}

/// A message that was found, as one line.
private struct SearchHitLine {
  private let message: Message
  private let part: Int
  private let text: String
  private let snippet: SearchSnippet

  /// - Returns: nil if no part matches: then the query would not have found the message.
  init?(of pattern: SearchPattern, in message: Message, _ snapshot: StoreSnapshot) throws {
    for (index, part) in message.parts.enumerated() {
      let text: String
      switch part.content {
      case .text(let own): text = own
      case .storedText: text = try snapshot.text(of: part.id)
      case .data, .storedData, .url: continue
      }
      guard pattern.matches(text) else { continue }
      self.message = message
      self.part = index
      self.text = text
      snippet = pattern.snippet(
        of: text, bytes: max(Terminal.columns - Self.widths.reduce(0) { $0 + $1 + 2 }, 40))
      return
    }
    return nil
  }

  /// The columns of the date, the sender and the conversation.
  private static let widths = [20, 16, 16]

  /// The line for people, with what was found in bold.
  var pieces: [(text: String, colour: Colour?)] {
    let cells = [
      ObjectTable.date(message.sentTimestamp), message.sender.rawValue, message.conversation.rawValue,
    ]
    let head = zip(cells, Self.widths).map { $0.oneLine.cut(to: $1).padded(to: $1) + "  " }.joined()
    var pieces: [(text: String, colour: Colour?)] = [(head + (snippet.isCutBefore ? "…" : ""), nil)]
    var place = snippet.range.lowerBound
    for range in snippet.highlights {
      pieces.append((String(text[place..<range.lowerBound]).oneLine, nil))
      pieces.append((String(text[range]).oneLine, .bold))
      place = range.upperBound
    }
    pieces.append(
      (String(text[place..<snippet.range.upperBound]).oneLine + (snippet.isCutBehind ? "…" : ""), nil))
    return pieces
  }

  /// The line for programs.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for (key, value) in [
      ("message", message.id.rawValue), ("conversation", message.conversation.rawValue),
      ("sender", message.sender.rawValue),
    ] {
      writer.key(key)
      writer.string(value)
    }
    if let sentAt = message.sentTimestamp.flatMap({ try? RFC3339.format(microseconds: $0.microseconds) }) {
      writer.key("sentAt")
      writer.string(sentAt)
    }
    writer.key("part")
    writer.integer(Int64(part))
    writer.key("snippet")
    writer.string(String(text[snippet.range]))
    writer.key("highlights")
    writer.beginArray()
    let scalars = text.unicodeScalars
    for range in snippet.highlights {
      writer.beginArray()
      for end in [range.lowerBound, range.upperBound] {
        writer.integer(Int64(scalars.distance(from: snippet.range.lowerBound, to: end)))
      }
      writer.endArray()
    }
    writer.endArray()
    for (key, flag) in [("isCutBefore", snippet.isCutBefore), ("isCutBehind", snippet.isCutBehind)] {
      writer.key(key)
      writer.bool(flag)
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}
