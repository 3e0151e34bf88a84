import ArgumentParser
import Satchel
import SatchelLines
import SatchelModel
import SatchelRelevance
import SatchelText
import TerminalInterface

/// `satchel suggest`: the words of an index that begin as a text ends.
struct SuggestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest",
    abstract: "Shows the words that may be meant by the beginning of one, with how many objects have each.",
    discussion: """
      The text is what somebody has typed so far: words are shown that begin as its last one does, those that most objects have \
      first. They are those of an index of words, without case and diacritics; the other words of the text do not narrow them. As \
      JSON, each is a line, {"word":"place","count":3}. A text that begins with - stands behind --.

      Without --index, the words are those of the texts of messages, or of the only index of words: satchel index declare STORE words \
      messages --columns 'words parts.text'.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "What was typed so far.")
  var text: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The index of words, as satchel index list names it.", valueName: "name"))
  var index: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("At most so many words.", valueName: "number"))
  var limit = 10

  @OptionGroup var format: FormatOption

  /// How an index of the words of messages is declared, for errors that ask for one.
  static let declaration = "satchel index declare STORE words messages --columns 'words parts.text' --build"

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes a number from 0 on, not \(limit)") }
  }

  func run() throws {
    let suggestions = try store.read { snapshot in
      try snapshot.suggestions(for: text, in: index ?? Self.usualIndex(of: snapshot), limit: limit)
    }
    var output = Output()
    switch format.resolved {
    case .table:
      var table = Table([.init("word", limit: 64), .init("count", isNumber: true)])
      for suggestion in suggestions {
        try table.add([suggestion.word, String(suggestion.count)], to: &output)
      }
      try table.end(&output)
      if suggestions.isEmpty { try output.line("no words") }
    case .json:
      for suggestion in suggestions {
        try output.write([("word", .text(suggestion.word)), ("count", .number(Int64(suggestion.count)))])
      }
    }
    try output.flush()
  }

  /// Returns the name of the index that is meant by none.
  private static func usualIndex(of snapshot: StoreSnapshot) throws -> String {
    let indexes = try snapshot.indexes().map(\.index).filter { $0.columns.contains(where: \.isOfWords) }
    let ofMessages = indexes.filter {
      $0.kind == .messages && $0.predicate == .true && $0.columns.map(\.path) == [["parts", "text"]]
    }
    // An index that is built anew is there twice.
    let names = Set((ofMessages.isEmpty ? indexes : ofMessages).map { ByteString($0.name) }).map(\.string)
    guard let name = names.first else {
      throw ToolError("suggestions are words of an index, and the store has none of words: \(declaration)")
    }
    guard names.count == 1 else {
      throw ToolError(
        "there are several indexes of words: --index takes one of them: "
          + names.sorted(by: UTF8Order.isLess).joined(separator: ", "))
    }
    return name
  }
}
