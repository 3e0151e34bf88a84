import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Turns a test on a property into a check of a row.
struct TestCompiler {
  typealias Check = (inout RowContext) throws -> Bool

  let snapshot: Snapshot
  let kind: ObjectKind
  let index: IndexDefinition?

  func check(_ test: Test) -> Check {
    if test.property.relations.isEmpty, case .referenced(let step, let property) = test.property.field {
      return check(Test(property, test.values, isNegated: test.isNegated), behind: step)
    }
    if let shared = sharedCheck(test) { return shared }
    if test.property.isToMany { return toMany(test) }
    switch test.values {
    case .integers(let set, let missing):
      if let restriction = index?.holds.restriction, test.property == restriction.property {
        let result = set.contains(restriction.value)
        return { _ in result }
      }
      let read = readers.reader(of: test.property)
      return { row in
        guard case .integer(let value) = try read(&row) else { return missing }
        return set.contains(value)
      }
    case .text(let set, let missing):
      let read = readers.reader(of: test.property)
      guard test.property.type == .custom else { return { row in try read(&row).isIn(set) ?? missing } }
      let values = CustomSet(set)
      let isNegated = test.isNegated
      return { row in (values.contains(try read(&row)) ?? missing) != isNegated }
    case .participants(let participants):
      return participantCheck(participants, isNegated: test.isNegated)
    case .metadata(let metadata): return metadataCheck(metadata, test)
    case .related(let users): return relationCheck(users, test)
    }
  }

  var readers: PropertyReaders { PropertyReaders(snapshot: snapshot, kind: kind, index: index) }

  /// Returns a check of the object that a field of the row's record refers to, or that the row's conversation is to the store's user, made
  /// once for each such object.
  private func check(_ test: Test, behind step: ReferenceStep) -> Check {
    let check = TestCompiler(snapshot: snapshot, kind: step.kind, index: nil).check(test)
    let answers = ReferencedRows<Bool>(step, in: snapshot, missing: test.passesIfMissing) { row in
      var context = RowContext()
      context.begin(row)
      return try check(&context)
    }
    return { row in try answers.value(for: &row) }
  }

  // MARK: Tests that many rows share

  /// Returns a check whose result is found once for each conversation, sender or set of types, and remembered; nil for
  /// a test whose result depends on the row itself.
  private func sharedCheck(_ test: Test) -> Check? {
    let snapshot = snapshot
    switch kind {
    case .messages:
      if let inner = test.property.stripping(.conversation) { return throughConversation(test, inner) }
      return senderCheck(test) ?? typeSetCheck(test)
    case .announcements: return senderCheck(test) ?? typeSetCheck(test)
    case .parts:
      if let inner = test.property.stripping(.message) {
        let compiler = TestCompiler(snapshot: snapshot, kind: .messages, index: nil)
        return compiler.check(Test(inner, test.values, isNegated: test.isNegated))
      }
      return nil
    case .conversations, .identities, .records: return nil
    }
  }

  private func throughConversation(_ test: Test, _ property: ObjectProperty) -> Check {
    let test = Test(property, test.values, isNegated: test.isNegated)
    let names = snapshot.companion == nil ? nil : Condition.test(test).identifiers
    let compiler = TestCompiler(snapshot: snapshot, kind: .conversations, index: nil)
    let check = compiler.check(test)
    let known = Memory()
    var rows: [UInt32]?
    return { [snapshot] row in
      if let rows { return rows.contains(row.reference.conversation) }
      return try known.value(of: row.reference.conversation) { number in
        // Behind the first one, a few that are named are looked up, rather than each one that a message is in.
        if let names, names.count <= 8, !known.isEmpty {
          rows = try snapshot.conversationRows(of: names)
          return rows?.contains(number) ?? false
        }
        var conversation = RowContext()
        conversation.begin(RowReference(sequence: UInt64(number)))
        return try check(&conversation)
      }
    }
  }

  private func senderCheck(_ test: Test) -> Check? {
    let isID = test.property == ObjectProperty([], .senderUserID)
    guard isID || test.property == ObjectProperty([.sender], .displayName),
      case .text(let set, let missing) = test.values
    else { return nil }
    let known = Memory()
    let snapshot = snapshot
    let number = senderNumber
    return { row in
      try known.value(of: number(&row)) { user in
        if isID { return set.contains(try snapshot.users.utf8(user)) }
        guard let identity = try snapshot.locateIdentity(user: user) else { return missing }
        let name = unsafe PropertyValue(try snapshot.identity(identity).bytes(of: .displayName)).canonical
        return name.isIn(set) ?? missing
      }
    }
  }

  var senderNumber: (inout RowContext) throws -> UInt32 {
    if let column = index?.column(of: .sender) {
      return { row in UInt32(truncatingIfNeeded: row.words[column]) }
    }
    let view = messageView
    return { row in try view(&row).sender }
  }

  private func typeSetCheck(_ test: Test) -> Check? {
    guard test.property == ObjectProperty([.parts], .mimeType), case .text(let set, _) = test.values else {
      return nil
    }
    let known = Memory()
    let snapshot = snapshot
    let isNegated = test.isNegated
    let number: (inout RowContext) throws -> UInt32
    if let column = index?.column(of: .typeSet) {
      number = { row in UInt32(truncatingIfNeeded: row.words[column]) }
    } else {
      let view = messageView
      number = { row in try view(&row).typeSet }
    }
    return { row in
      try known.value(of: number(&row)) { typeSet in
        let holds = try snapshot.typeSets.members(typeSet).contains { type in
          set.contains(try snapshot.mimeTypes.utf8(type))
        }
        return holds != isNegated
      }
    }
  }

  // MARK: Parts

  /// The view of the row's message. The row of a part has the record of its message, so that `message.parts` needs no other.
  var messageView: (inout RowContext) throws -> MessageView {
    let snapshot = snapshot
    return kind == .announcements
      ? { row in try row.announcement(snapshot) } : { row in try row.message(snapshot) }
  }

  /// Returns a check that holds if some part's value is in the set; a negated one holds if no part's value is. A part
  /// without a value is in the set if the set includes missing values.
  private func toMany(_ test: Test) -> Check {
    check(somePart: .test(test), isNegated: test.isNegated)
  }

  /// Returns a check that holds if some part meets all conditions; a negated one holds if no part does.
  func check(_ group: ElementConditions) -> Check {
    check(somePart: .all(group.conditions), isNegated: group.isNegated)
  }

  /// Returns the value of a part's field, a text as it was given.
  static func value(
    of field: ObjectField, of part: PartView, at index: Int, in message: MessageView, _ snapshot: Snapshot
  ) throws -> PropertyValue {
    switch field {
    case .size: PropertyValue(part.size)
    case .transferStatus: .integer(Int64(part.transferStatus.rawValue))
    case .mimeType: .bytes(try snapshot.mimeTypes.utf8(part.mimeType))
    default: try PartText.value(of: part, at: index, in: message, snapshot)
    }
  }

  // MARK: Conversations

  private func participantCheck(_ participants: ParticipantTest, isNegated: Bool) -> Check {
    let snapshot = snapshot
    let known = Memory()
    let wanted = Lazily { try ParticipantNumbers(participants, snapshot) }
    return { row in
      let set = try row.conversation(snapshot).participantSet
      return try known.value(of: set) { set in
        try wanted.value.hold(for: snapshot.participantSets.members(set)) != isNegated
      }
    }
  }

  /// Returns a check of the whole metadata, or of a dictionary in it: what has no texts and no values is not there.
  private func metadataCheck(_ metadata: Metadata, _ test: Test) -> Check {
    let isNegated = test.isNegated
    let snapshot = snapshot
    let read: (inout RowContext) throws -> Metadata
    switch kind {
    case .conversations:
      read = { row in try row.conversation(snapshot).metadata.decode(in: .conversation) }
    case .identities:
      read = { row in try row.identity(snapshot)?.metadata.decode(in: .identity) ?? Metadata() }
    case .messages, .announcements, .parts:
      let view = messageView
      read = { row in try view(&row).metadata.decode(in: .message) }
    case .records: read = { row in try row.record(snapshot).fields.decode(in: .record) }
    }
    guard let path = test.property.field.keyPath else {
      return { row in (try read(&row) == metadata) != isNegated }
    }
    let wanted = MetadataValue.dictionary(metadata)
    return { row in (try read(&row).value(at: path.keys) == wanted) != isNegated }
  }
}

/// Remembers results, by number.
final class Memory {
  private var answers: [UInt32: Bool] = [:]
  private var last: (number: UInt32, answer: Bool)?

  var isEmpty: Bool { answers.isEmpty }

  func value(of number: UInt32, _ find: (UInt32) throws -> Bool) rethrows -> Bool {
    if let last, last.number == number { return last.answer }
    if let answer = answers[number] {
      last = (number, answer)
      return answer
    }
    let answer = try find(number)
    answers[number] = answer
    last = (number, answer)
    return answer
  }
}
