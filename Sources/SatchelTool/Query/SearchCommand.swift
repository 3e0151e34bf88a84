import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelModel
import SatchelQuery
import SatchelRelevance
import SatchelSearch
import SatchelStorage
import TerminalInterface

/// `satchel search`: the messages with a text that a pattern finds, the newest or the best matches first.
struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Finds messages by the words of their texts, the newest or the best matches first.",
    discussion: """
      A pattern is words, of which a text has to have all: noon OR "usual place" lunc* -late. OR, AND, NOT and parentheses join \
      them, quotation marks make a phrase, a star before or behind a word stands where it may go on, and - before what must not be there. \
      Case and diacritics are ignored. A pattern that begins with - stands behind --.

      A name and a colon ask for words of another text of the message: sender.displayName:bob noon, \
      conversation.metadata.title:"the usual" -noon, metadata.topic:(food OR drink). Times and addresses are words: 12:30, localhost:8080, \
      https://example.org. Any other name needs quotation marks with its colon: "note:this".

      Each message is a line: when, who, in which conversation, and the piece of the text with what was found, which is bold at a \
      terminal. As JSON, "highlights" are from where to where in "snippet", in Unicode scalars, and "part" is which of the message's \
      parts it is, from 0. Without --limit, a list at a terminal ends after 1,000 messages.

      With --by relevance those come first that have rare words of the pattern, have them often, and in short texts; as JSON \
      with their "score". That needs an index of the words: satchel index declare STORE words messages --columns 'words parts.text'. All \
      that is shown is held in memory until then, so give a --limit.

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

  @Option(help: "Which come first: the newest, or by relevance the best matches.")
  var by: SearchOrder = .newest

  @Option(parsing: .unconditional, help: ArgumentHelp("At most so many messages.", valueName: "number"))
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many messages to pass over first.", valueName: "number"))
  var offset: Int?

  @Option(
    parsing: .unconditional,
    help: """
      The found message of this identifier in the middle of --limit messages (21 without), the newest first. Or a date such as \
      2024-01-03 or 2024-01-03T12:00:00Z.
      """)
  var around: String?

  @OptionGroup var format: FormatOption
  @OptionGroup var lease: LeaseOptions

  func validate() throws {
    for (name, number) in [("limit", limit), ("offset", offset)] {
      guard let number, number < 0 else { continue }
      throw ValidationError("--\(name) takes a number from 0 on, not \(number)")
    }
    if by == .relevance, around != nil {
      throw ValidationError("--around goes with --by newest: by relevance, --offset passes over the best")
    }
  }

  func run() throws {
    let named = try SearchPattern(pattern)
    try Self.checkFields(named)
    let pattern = named.readingPorts { QueriedType(.messages).hasProperty(named: $0) }
    let stream = OutputStream(behind: WriteBehind(1))
    let isCut = Terminal.isOutput && format.resolved == .table && limit == nil && around == nil
    do {
      try store.read { snapshot in
        stream.hold(ReaderLease(snapshot.base, lease.limits))
        var output = Output(stream)
        var written = 0
        let show = { (message: Message, score: Double?) in
          guard let hit = try SearchHitLine(of: pattern, in: message, snapshot) else { return }
          written += 1
          switch format.resolved {
          case .table: try output.line(hit.pieces)
          case .json: try output.write(hit.json(score: score))
          }
        }
        let query = try query(pattern, in: snapshot, limit: isCut ? Self.mostRows : limit)
        switch by {
        case .newest: try snapshot.forEach(query) { try show($0, nil) }
        case .relevance: for result in try best(query, in: snapshot) { try show(result.object, result.score) }
        }
        if format.resolved == .table, written == 0 { try output.line("no messages") }
        if isCut, written == Self.mostRows {
          try output.line("\(written) messages: --limit shows more, --offset later ones")
        }
      }
    } catch let error as SatchelError where error.code == .snapshotExpired {
      // What was read is whole lines. Their reader may now take them without a snapshot.
      try stream.finish()
      throw ToolError("\(error): ask for fewer with --limit, or with --in a conversation")
    }
    try stream.finish()
  }

  private static let bySender =
    "satchel query STORE messages --where \"sender.userID = 'bob' AND parts.text MATCHES-TEXT 'noon'\""
  /// What patterns of other clients name before a colon, and what asks for it here.
  private static let fields = [
    "title": "conversation.metadata.title:lunch",
    "from": "sender.displayName:bob or, for one user, " + bySender,
    "sender": "sender.displayName:bob or, for one user, " + bySender,
    "in": "--in a conversation",
  ]

  /// Refuses a field of other clients, and says what it is here. Any other name that leads to no text is refused by the query.
  private static func checkFields(_ pattern: SearchPattern) throws {
    for name in pattern.fields {
      guard let advice = fields[name] else { continue }
      throw ToolError(
        "A message has no text that is named \"\(name):\": take \(advice); the words themselves stand in quotation marks with their colon"
      )
    }
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
    if by == .newest { query = query.order { $0.sentAt.descending } }
    var description = query.untyped
    (description.limit, description.offset) = (limit, offset ?? 0)
    if let around { description.surround(objectOrDate: around) }
    return Query(description) ?? query
  }

  /// Returns what a query finds, the best matches first.
  private func best(_ query: Query<Message>, in snapshot: StoreSnapshot) throws -> [SearchResult<Message>] {
    do { return try snapshot.search(query) } catch let error as SatchelError where error.code == .notAvailable
    {
      guard error.context["column"] != nil else { throw error }
      throw ToolError("\(error): \(SuggestCommand.declaration)")
    }
  }
}

/// In which order found messages are shown.
enum SearchOrder: String, ExpressibleByArgument, CaseIterable {
  case newest, relevance
}
