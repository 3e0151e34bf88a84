import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelModel
import SatchelWriting
import TerminalInterface

/// `satchel set`: changes properties of an object, or fields of a record.
struct SetCommand: ParsableCommand, TakesKinds, TakesRecordTypes {
  static let kinds = ObjectKind.builtIn.filter { $0 != .parts }
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets properties of a conversation, message, announcement or identity, or fields of a record.",
    usage: """
      satchel set <store> <kind> <identifier> <name>=<value> ... <name>:=<json> ... [--clear <name> ...] [--create] [--as <user>]
      """,
    discussion: """
      The names are those of \"set\" in a line of the interchange format, and metadata.KEY, recipientStatus.USER and \
      transferStatus.INDEX. A text is what stands behind the = sign; dates are 2024-01-03T12:00:00Z, numbers 12, Booleans true and false, \
      participants user ids joined by commas, the store's user among them. Behind := a value is JSON, as in such a line: so metadata gets \
      numbers, Booleans, lists of texts, dates and dictionaries. All properties are set or, if one of them cannot be, none is.

      Of a record, the names are owner and those of fields. What stands behind the = sign of a declared field is of the field's type: texts \
      of a list are joined by commas, and a reference is TYPE/ID. That of any other field is a text. With --create, the record is made if there \
      is none.

      satchel set STORE messages m1 isUnread=false position=12 --clear sentAt
      satchel set STORE conversations lunch metadata.title=Lunch participants=alice,bob
      satchel set STORE todo write order=3 done=false due=2024-01-03T12:00:00Z tags=urgent,late list=list/work 'estimate:=2.5'
      satchel set STORE messages m1 metadata.stars:=5 'metadata.tags:=["urgent","late"]' 'metadata.due:={"$date":"2024-01-03T12:00:00Z"}'
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "conversations, messages, announcements or identities; or a record type.")
  var kind: QueriedKind

  @Argument(help: "The identifier of the object.")
  var identifier: String

  @Argument(help: ArgumentHelp("Properties and their values.", valueName: "name=value"))
  var assignments: [String] = []

  @Option(
    name: .customLong("clear"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A property that is to have no value any more.", valueName: "name"))
  var cleared: [String] = []

  @Flag(help: "Make the record if there is none with the identifier.")
  var create = false

  @OptionGroup var writing: WriteOptions

  func validate() throws {
    try kind.validate(in: store)
    guard kind.recordType != nil || Self.kinds.contains(kind.kind) else {
      throw ValidationError(
        "set takes conversations, messages, announcements, identities or a record type, not parts")
    }
    guard kind.recordType != nil || !create else {
      throw ValidationError("--create goes with a record type: send and import make other objects")
    }
    guard !assignments.isEmpty || !cleared.isEmpty || create else {
      throw ValidationError("set takes properties and their values, such as metadata.title=Lunch")
    }
  }

  func run() throws {
    let changes =
      try assignments.map { try UpdateLine.Change(assignment: $0) }
      + cleared.map { try UpdateLine.Change(clearing: $0) }
    guard let recordType = kind.recordType else { return try set(changes, of: kind.kind) }
    try writing.write(store.store) { transaction in
      let type = try transaction.read { try $0.declaredType(named: recordType) }
      let changes = try RecordChanges(changes, of: type)
      let id = Record.ID(type: type.name, name: identifier)
      if create, try transaction.read({ try $0.record(id) }) == nil {
        var record = Record(id: id)
        changes.apply(to: &record)
        try transaction.save(record)
      } else {
        try transaction.update(id) { changes.apply(to: &$0) }
      }
    }
  }

  private func set(_ changes: [UpdateLine.Change], of kind: ObjectKind) throws {
    let record = try UpdateLine(of: kind, identifier).record(changes)
    try writing.write(store.store) { transaction in
      switch record {
      case .messageUpdate(let id, let update):
        try transaction.writer.updateMessage(id, isAnnouncement: kind == .announcements, update)
      case .conversationUpdate(let id, let update):
        if case .replace(let users) = update.participants, !users.contains(transaction.writer.user) {
          let user = transaction.writer.user.rawValue
          throw ToolError(
            "participants without \(user), whose store it is, would take the conversation and its messages from "
              + "all queries: participants=\(([user] + users.map(\.rawValue)).joined(separator: ","))")
        }
        try transaction.writer.updateConversation(id, update)
      case .identityUpdate(let id, let update): try transaction.writer.updateIdentity(id, update)
      default: break
      }
    }
  }
}
