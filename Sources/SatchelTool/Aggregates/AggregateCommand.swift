import ArgumentParser
import Satchel
import SatchelModel
import SatchelText
import TerminalInterface

/// `satchel aggregate`: counts, adds up and compares objects by groups, and reads, declares and drops the aggregates that a store keeps.
struct AggregateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "aggregate",
    abstract:
      "Counts objects, or gives the sum, minimum or maximum of a property, by groups; tells of the aggregates that the store keeps.",
    discussion: """
      With a kind, the objects are counted as a query for them finds them. --declare makes the store keep the numbers under a name from \
      then on, in step with every commit; --named reads them at the cost of a look-up. Without a kind and --named, the declared ones \
      are listed.

      With --by, each group is a row; as JSON {"group":"lunch","value":2}, with null for the group of the objects that have no value \
      to be grouped by, or a list. Groups of 0, or without a minimum or a maximum, are left out. Without --by it is one value. A sum of \
      numbers of metadata is exact, and rounded when it is shown. Values of metadata show their types: as JSON a date is \
      {"$date":"2024-01-03T12:00:00Z"}, and in a table a text that could be another value has quotation marks.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: QueriedKind.help)
  var kind: QueriedKind?

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: "A condition of the predicate language: only the objects that meet it count.")
  var predicate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The property that objects are grouped by, such as conversation.", valueName: "property"))
  var by: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Add up this number of the objects instead of counting them.", valueName: "property"))
  var sum: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Give the least value of this property instead of a count.", valueName: "property"))
  var min: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Give the greatest value of this property instead of a count.", valueName: "property"))
  var max: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The declared aggregate of this name instead of a kind.", valueName: "name"))
  var named: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --named, the value of this group alone, as a table shows it: 3, '\"3\"', null; 0 if there is none.",
      valueName: "value")
  )
  var group: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Make the store keep the numbers under this name.", valueName: "name"))
  var declare: String?

  @Flag(help: "With --declare, in the place of another aggregate of that name.")
  var replace = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Make the store keep the aggregate of this name no longer.", valueName: "name"))
  var drop: String?

  @OptionGroup var writing: WriteOptions
  @OptionGroup var format: FormatOption

  func validate() throws {
    try kind?.validate(in: store)
    let ways = [kind != nil, named != nil, drop != nil].count { $0 }
    guard ways <= 1 else {
      throw ValidationError("a kind, --named and --drop exclude one another")
    }
    let ofKind = [
      ("where", predicate), ("by", by), ("sum", sum), ("min", min), ("max", max), ("declare", declare),
    ]
    if kind == nil, let (name, _) = ofKind.first(where: { $0.1 != nil }) {
      throw ValidationError("--\(name) goes with a kind: \(QueriedKind.names)")
    }
    guard [sum, min, max].count(where: { $0 != nil }) <= 1 else {
      throw ValidationError("--sum, --min and --max exclude one another")
    }
    if group != nil, named == nil { throw ValidationError("--group goes with --named") }
    if replace, declare == nil { throw ValidationError("--replace goes with --declare") }
    if declare == nil, drop == nil, writing.user != nil || writing.wait.seconds != nil {
      throw ValidationError("--as and --wait go with --declare and --drop: nothing else writes")
    }
  }

  func run() throws {
    var output = AggregateOutput(format.resolved)
    if let drop {
      return try writing.write(store.store) { try $0.dropAggregate(named: drop) }
    }
    if let kind { return try compute(kind, &output) }
    guard let named else { return try output.write(store.read { try $0.aggregates() }) }
    try store.read { snapshot in
      let aggregate = try Self.find(named, snapshot)
      guard let group else { return try output.write(snapshot.values(of: aggregate), of: aggregate) }
      try output.write(snapshot.value(of: aggregate, for: Self.constant(group, of: aggregate)), of: aggregate)
    }
  }

  /// Writes the values of the aggregate that the arguments describe, and makes the store keep it if that is asked for.
  private func compute(_ queried: QueriedKind, _ output: inout AggregateOutput) throws {
    let aggregate = AggregateDescription(
      name: declare ?? "", kind: queried.kind, recordType: queried.recordType,
      predicate: try predicate.map { try QueryPredicate(format: $0, arguments: []) } ?? .true,
      group: try by.map { try Self.path($0, of: "--by") },
      measure: try sum.map { .sum(of: try Self.path($0, of: "--sum")) }
        ?? min.map { .minimum(of: try Self.path($0, of: "--min")) }
        ?? max.map { .maximum(of: try Self.path($0, of: "--max")) } ?? .count)
    guard declare != nil else {
      return try output.write(store.read { try $0.computedValues(of: aggregate) }, of: aggregate)
    }
    try writing.write(store.store) { try $0.declare(aggregate, replacing: replace) }
    try output.write(store.read { try $0.values(of: aggregate) }, of: aggregate)
  }

  static func path(_ text: String, of option: String) throws -> [String] {
    guard let key = try? SortKey(text), !key.descending else {
      throw ToolError("\(option) takes one key path, such as conversation or metadata.title, not \"\(text)\"")
    }
    return key.path
  }

  private static func find(_ name: String, _ snapshot: StoreSnapshot) throws -> AggregateDescription {
    let declared = try snapshot.aggregates()
    guard let found = declared.first(where: { UTF8Order.areEqual($0.name, name) }) else {
      throw ToolError(
        "no aggregate \"\(name)\" is declared"
          + (declared.isEmpty
            ? ": --declare with a kind declares one"
            : ", but \(declared.map(\.name).joined(separator: ", "))"))
    }
    return found
  }

  /// Returns the value of `--group` in the type that the aggregate's groups have.
  private static func constant(
    _ text: String, of aggregate: AggregateDescription
  ) throws -> QueryPredicate.Constant {
    guard let path = aggregate.group else {
      throw ToolError("--group takes an aggregate with groups: \(aggregate)")
    }
    let type = try ObjectProperty(path: path, of: aggregate.kind).type
    guard let value = TypedValue(text, of: type) else {
      throw ToolError(
        "--group takes \(TypedValue.expected(of: type)), since the groups are of \(SortKey(path)), not \"\(text)\""
      )
    }
    return value.constant
  }
}
