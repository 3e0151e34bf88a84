import ArgumentParser
import Satchel
import SatchelExecution
import SatchelModel
import SatchelQuery
import TerminalInterface

/// `satchel count`: counts the results of a query, all of them or by groups.
struct CountCommand: ParsableCommand, TakesRecordTypes {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Counts conversations, messages, parts, announcements, identities or records.",
    discussion: """
      Prints a number, the same as query --select count: from the nodes of an index alone where the condition is one of its \
      ranges, which satchel explain --select count tells.

      With --by, each group that is not empty is a row; as JSON {"group":"bob","value":2}, with null for the group of the objects that \
      have no value, or a list. A date of metadata is {"$date":"2024-01-03T12:00:00Z"}; in a table a text of metadata that could be \
      another value has quotation marks. A period has "from" beside that, when it begins in UTC. --by day and the like are of sentAt, of conversations \
      and records createdAt and of identities lastSeenAt, unless --date names another date.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: QueriedKind.help)
  var queried: QueriedKind

  @OptionGroup var window: WindowArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Count by hour, day, week, month or year; or by a property, such as sender or metadata.kind.",
      valueName: "group"))
  var by: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The date whose hours, days, weeks, months or years count.", valueName: "property"))
  var date: String?

  @Option(help: ArgumentHelp("Where these are, such as Europe/Berlin; without, UTC.", valueName: "zone"))
  var timeZone: String?

  @OptionGroup var format: FormatOption

  /// The periods to count by; nil to count by a property or all objects together.
  private var unit: CalendarUnit? { by.flatMap(CalendarUnit.init) }

  func validate() throws {
    try queried.validate(in: store)
    guard unit == nil, date != nil || timeZone != nil else { return }
    throw ValidationError("--date and --time-zone go with --by hour, day, week, month or year")
  }

  func run() throws {
    let description = try window.description(of: queried)
    let kind = queried.kind
    guard let by else {
      let count = try store.read { try $0.count(description) }
      var output = Output()
      try output.line(String(count))
      return try output.flush()
    }
    var property = by == "sender" && kind != .identities ? "sender.userID" : by
    var periods: CalendarPeriods?
    if let unit {
      property = date ?? Self.date(of: kind)
      let zone = timeZone ?? "UTC"
      guard let offset = SystemTimeZone.offset(of: zone) else {
        throw ToolError(
          "--time-zone takes a zone that the system knows, such as Europe/Berlin, not \"\(zone)\"")
      }
      periods = CalendarPeriods(unit, offset: offset)
    }
    let path = try AggregateCommand.path(property, of: unit == nil ? "--by" : "--date")
    if unit == nil, path.count == 1, (try? ObjectProperty(path: path, of: kind)) == nil {
      throw ToolError(
        "--by takes hour, day, week, month, year or a property of \(queried.recordType ?? kind.rawValue), such as sender or metadata.kind, not \"\(by)\""
      )
    }
    let groups = GroupingDescription(property: path, periods: periods)
    let (counts, type) = try store.read { snapshot in
      let counts = try snapshot.counts(of: description, by: groups)
      return (counts, try snapshot.executor.queriedType(of: description).property(path).type)
    }
    var output = AggregateOutput(format.resolved)
    try output.write(
      counts.map { ($0.group, .integer(Int64($0.count))) }, of: by, type, periods: periods)
  }

  private static func date(of kind: ObjectKind) -> String {
    switch kind {
    case .messages, .announcements: "sentAt"
    case .parts: "message.sentAt"
    case .conversations, .records: "createdAt"
    case .identities: "lastSeenAt"
    }
  }
}
