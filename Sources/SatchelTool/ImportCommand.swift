import ArgumentParser
import RankedIndex
import SatchelExecution
import SatchelIndexing
import SatchelInterchange
import SatchelModel
import SatchelStorage
import SatchelText
import TerminalInterface

/// `satchel import`: reads an interchange file into a store, all of it or nothing.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Reads a file of the interchange format into a store, all of it or nothing.",
    discussion: """
      A store that does not exist is created; --as names its user. The first line that cannot be taken ends the import \
      and leaves the store as it was; with --skip-invalid each such line is reported on standard error and left out, \
      and the exit status is 3. A file without a header, of a newer version, damaged or cut off is never taken.

      An import into a new store that is ended in the middle leaves a directory STORE.importing beside it, which the next import \
      to the same path removes. One into a store that exists leaves what it had staged in the store, where nobody sees it, until \
      the next program opens the store for writing.

      An object that is there already makes its line one that cannot be taken; with --existing skip the object stays as it is, with \
      --existing merge it becomes what the line says, and the same file once more changes nothing.

      Queries show messages of conversations in which the store's user participates. If an import brings others, it says on \
      standard error how many.
      """)

  @Argument(help: "The directory of the store.")
  var store: String

  @Argument(help: "The file, or - for standard input.")
  var file: String

  @Option(
    name: .customLong("as"), parsing: .unconditional,
    help: "The user whose store it is; needed for a new one.")
  var user: String?

  @Flag(help: "Leave out lines that cannot be taken.")
  var skipInvalid = false

  @Option(help: "What to do with objects that are there already: fail, skip or merge.")
  var existing = Existing.fail

  @OptionGroup var wait: WaitOptions

  enum Existing: String, ExpressibleByArgument, CaseIterable {
    case fail, skip, merge

    var policy: ExistingMessage {
      switch self {
      case .fail: .fail
      case .skip: .ignore
      case .merge: .merge
      }
    }
  }

  func validate() throws {
    guard !store.isEmpty else { throw ValidationError("The path of the store is empty") }
  }

  func run() throws {
    try checkOrder()
    let input =
      file == "-" ? try InputFile(descriptor: 0, name: "standard input") : try InputFile(file)
    let hiddenBefore = try? hiddenMessages().count
    let bar = ProgressBar(total: input.byteCount ?? 0, unit: "bytes")
    let importer = Importer(
      .descriptor(input.descriptor), skipsInvalid: skipInvalid, existing: existing.policy,
      onRejection: { line, reason in
        bar.end()
        StandardError.write("line \(line): \(reason.oneLine)\n")
      },
      onProgress: { bar.update($0) })
    let summary: Importer.Summary
    do {
      defer { bar.end() }
      var options = Store.Options()
      options.aggregateEvaluator = QueryAggregateEvaluator()
      wait.apply(to: &options)
      summary = try importer.run(into: store, user: user, options: options)
    } catch let error as SatchelError where error.code == .noSuchStore && user == nil {
      throw ToolError("there is no store at \(store): --as names the user of a new one")
    }
    if summary.unknownKeys > 0 {
      let named = summary.firstUnknownKeys.map { "\($0.name.oneLine) (line \($0.line))" }
      let keys = summary.unknownKeys == 1 ? "1 unknown key was" : "\(summary.unknownKeys) unknown keys were"
      StandardError.write("satchel: warning: \(keys) ignored, first: \(named.joined(separator: ", "))\n")
    }
    var output = Output()
    try output.line(Self.line(summary))
    try output.flush()
    noteHidden(before: hiddenBefore ?? 0)
    if summary.rejected > 0 { throw ExitCode(ExitStatus.rejectedLines) }
  }

  /// Refuses a store and a file in the places of each other.
  private func checkOrder() throws {
    guard file != "-", RegularFile.isAt(store), !RegularFile.isAt(file) else { return }
    throw ToolError("\(store) is a file, and a store is a directory: satchel import STORE FILE")
  }

  /// Says how many more messages there are that queries do not show, and why.
  private func noteHidden(before: Int) {
    // The import is done, whether or not this can be said.
    guard let (after, user) = try? hiddenMessages(), after > before else { return }
    let count = after - before
    StandardError.write(
      "satchel: \(count) of the messages \(count == 1 ? "is" : "are") not visible: "
        + "\(user.oneLine) does not participate in \(count == 1 ? "its conversation" : "their conversations")\n"
    )
  }

  /// Returns how many messages the store has that queries do not show, and its user.
  private func hiddenMessages() throws -> (count: Int, user: String) {
    var options = Store.Options()
    options.create = false
    options.readOnly = true
    options.aggregateEvaluator = QueryAggregateEvaluator()
    options.creationWait = 0
    let opened = try Store.open(directory: store, user: nil, options: options)
    defer { opened.close() }
    return (try opened.read { try $0.forest.count(IndexCatalog.messageHidden.tree) }, opened.user)
  }

  /// Returns what an import has done, as one line. Records, lines that declare indexes, and lines that change or delete objects,
  /// are rare, and are named only where there are some.
  private static func line(_ summary: Importer.Summary) -> String {
    var line =
      "\(summary.messages) messages, \(summary.conversations) conversations, \(summary.identities) identities, "
      + "\(summary.announcements) announcements, \(summary.rejected) lines rejected"
    if summary.recordTypes > 0 || summary.records > 0 {
      line += ", \(summary.records) records, \(summary.recordTypes) declarations of their types"
    }
    if summary.indexes > 0 { line += ", \(summary.indexes) indexes" }
    if summary.updates > 0 { line += ", \(summary.updates) updates" }
    if summary.deletions > 0 { line += ", \(summary.deletions) deletes" }
    if summary.merged > 0 { line += ", \(summary.merged) merged" }
    if summary.ignored > 0 { line += ", \(summary.ignored) skipped" }
    return line
  }
}
