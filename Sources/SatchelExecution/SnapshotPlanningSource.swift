import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading
import SatchelRecords

/// Answers the planner's questions from a snapshot.
final class SnapshotPlanningSource: PlanningSource {
  /// The maximum number of entries of a dictionary that are tested one by one while a query is planned.
  private static let scanned = 4096
  /// The estimated microseconds above which a query for conversations is not run merely to plan one for messages.
  private static let affordable = 5_000.0

  private let executor: Executor
  let recordType: UInt32
  var snapshot: Snapshot { executor.snapshot }
  /// How many ranges have been counted.
  private var counted = 0

  init(_ executor: Executor, for question: Question) {
    self.executor = executor
    recordType = question.recordType
  }

  // As of the opening of the store: a store that is open for reading only lacks the indexes that another program builds
  // later.
  var indexSet: UInt16 { snapshot.header.versions.indexSet }

  func has(_ index: TextIndexDefinition) -> Bool { snapshot.hasAll(of: index.optionalIndexes) }

  func declaredIndexes(of kind: ObjectKind) throws -> [DeclaredIndex] {
    guard snapshot.hasDeclaredIndexes else { return [] }
    return try PlannedIndexes.of(snapshot).indexes(of: kind, recordType: recordType)
  }

  // MARK: Counts

  func count(_ tree: TreeSchema, in range: KeyRange) throws -> Int {
    try checkBounds()
    return try countOfLastConversation(tree, range) ?? snapshot.forest.count(tree, in: range)
  }

  /// Returns the number of messages or of unread messages of the conversation whose record was read last; nil for any
  /// other range. To find the range of a conversation, its record has just been read, and it has both numbers.
  private func countOfLastConversation(_ tree: TreeSchema, _ range: KeyRange) -> Int? {
    let isUnread = tree.id == IndexCatalog.messagePlaceUnread.tree.id
    guard isUnread || tree.id == IndexCatalog.messagePlace.tree.id, let view = snapshot.lastConversation,
      range == .prefix(Words(UInt64(view.row)), columns: 1)
    else { return nil }
    return Int(clamping: isUnread ? view.unreadCount : view.messageCount)
  }

  func count(_ tree: TextTreeSchema, in range: TextRange) throws -> Int {
    try checkBounds()
    return try snapshot.forest.count(tree, in: range)
  }

  /// A question may have very many ranges, which are all counted while it is planned.
  private func checkBounds() throws {
    counted &+= 1
    if counted % IndexScanner.batch == 0 { try snapshot.checkBounds() }
  }

  func height(_ tree: TreeSchema) throws -> Int { try snapshot.forest.height(tree) }

  // MARK: Dictionaries

  func users(in set: TextSet) throws -> [UInt32]? { try numbers(in: set, snapshot.users) }

  func mimeTypes(in set: TextSet) throws -> [UInt32]? { try numbers(in: set, snapshot.mimeTypes) }

  private func numbers(in set: TextSet, _ dictionary: TextDictionary) throws -> [UInt32]? {
    var numbers: [UInt32] = []
    if case .ranges(let ranges) = set, try areSought(ranges, in: dictionary) {
      for range in ranges.ranges {
        try checkBounds()
        if let point = range.point {
          if let number = try dictionary.number(of: String(decoding: point, as: UTF8.self)) {
            numbers.append(number)
          }
        } else {
          try dictionary.forEach(in: TextScan.range(range, group: dictionary.group)) { number, _ in
            numbers.append(number)
            return numbers.count <= SegmentSpans.limit
          }
        }
        guard numbers.count <= SegmentSpans.limit else { return nil }
      }
    } else {
      guard try dictionary.count <= Self.scanned else { return nil }
      try dictionary.forEach { number, text in
        if set.contains(text) { numbers.append(number) }
        return numbers.count <= SegmentSpans.limit
      }
    }
    guard numbers.count <= SegmentSpans.limit else { return nil }
    return numbers.sorted()
  }

  /// Whether each of some ranges is sought in a dictionary, and not each text of the dictionary in the ranges: these may be a million, of a
  /// dictionary with few texts.
  private func areSought(_ ranges: ByteRanges, in dictionary: TextDictionary) throws -> Bool {
    let count = ranges.ranges.count
    return try count <= SegmentSpans.limit || count <= Self.scanned && count <= dictionary.count
  }

  func typeSets(holdingSomeOf set: TextSet) throws -> [UInt32]? {
    let count = try snapshot.typeSets.count
    guard count <= Self.scanned else { return nil }
    var numbers: [UInt32] = []
    for number in 0..<UInt32(count) {
      let holds = try snapshot.typeSets.members(number).contains { type in
        set.contains(try snapshot.mimeTypes.utf8(type))
      }
      if holds { numbers.append(number) }
    }
    return numbers
  }

  func number(of path: MetadataPath) throws -> UInt32? {
    try snapshot.metadataPaths.number(of: path.stored)
  }

  func participantSet(_ users: [Identity.ID]) throws -> UInt32? {
    var numbers: [UInt32] = []
    for user in users {
      guard let number = try snapshot.users.number(of: user.rawValue) else { return nil }
      numbers.append(number)
    }
    return try snapshot.participantSets.number(of: Array(Set(numbers)).sorted())
  }

  // MARK: Objects

  func members(of conversation: Conversation.ID) throws -> [UInt32] {
    try executor.members(of: conversation)
  }

  func conversationRows(meeting condition: Condition, limit: Int) throws -> [UInt32]? {
    if let names = condition.identifiers, names.count <= limit {
      return try snapshot.conversationRows(of: names)
    }
    let question = Question(
      kind: .conversations, condition: condition, sort: [], limit: limit + 1, offset: 0, anchor: nil,
      isCount: false,
      text: "")
    let plan = try executor.plan(question)
    guard plan.path.cost.microseconds <= Self.affordable else { return nil }
    var rows: [UInt32] = []
    try executor.forEach(plan) { row in
      rows.append(UInt32(truncatingIfNeeded: row.sequence))
      return true
    }
    return rows.count <= limit ? rows : nil
  }

  func references(
    by step: ReferenceStep, meeting condition: Condition, limit: Int
  ) throws -> FoundReferences {
    let sought = PlannedReferences.Sought(step: step, condition: condition)
    if let known = executor.plannedReferences[sought, limit: limit] { return known }
    let isOfRecords = sought.isOfRecords
    let kept = isOfRecords ? snapshot.keptReferences as? KeptReferences : nil
    if let found = kept?.references[sought, limit: limit] { return found }
    let found = try findReferences(by: step, meeting: condition, limit: limit)
    executor.plannedReferences[sought, limit: limit] = found
    if isOfRecords, limit <= SegmentSpans.limit { keep(found, of: sought, limit: limit) }
    return found
  }

  /// Keeps what has been found for later questions: no more than a few objects.
  private func keep(_ found: FoundReferences, of sought: PlannedReferences.Sought, limit: Int) {
    var references = (snapshot.keptReferences as? KeptReferences)?.references ?? PlannedReferences()
    if references.count >= KeptReferences.most { references = PlannedReferences() }
    references[sought, limit: limit] = found
    snapshot.keptReferences = KeptReferences(references)
  }

  private func findReferences(
    by step: ReferenceStep, meeting condition: Condition, limit: Int
  ) throws -> FoundReferences {
    let kind = step.kind
    var question = Question(
      kind: kind, condition: condition, sort: [], limit: limit + 1, offset: 0, anchor: nil, isCount: false,
      text: "")
    if step.isOwnState {
      question.condition = .conjunction([condition, Self.isOwnParticipation(snapshot.user)])
    }
    if kind == .records {
      guard let type = try snapshot.recordType(named: step.target) else { return .all([]) }
      question.recordType = type.id
    }
    let plan = try executor.plan(question)
    if let count = try countOfRuns(plan.path), count > limit {
      return .unknown(share: try countOfAll(question).map { Double(count) / Double(max(count, $0)) })
    }
    guard plan.path.cost.microseconds <= Self.affordable * Double(limit) / Double(SegmentSpans.limit) else {
      return .unknown(share: nil)
    }
    if step.isOwnState, case .test = condition, try ownRecords(of: plan, question.recordType) > limit {
      return .unknown(share: nil)
    }
    let prefix = Array(step.target.utf8) + [0]
    var found: [[UInt8]] = []
    try executor.forEach(plan) { row in
      if step.isOwnState {
        let key = TypedRecordKey(type: row.conversation, sequence: row.sequence)
        if let conversation = try snapshot.conversationOfOwnParticipation(key) { found.append(conversation) }
      } else {
        for name in try executor.names(of: row, kind) { found.append(prefix + name.utf8) }
      }
      return found.count <= limit
    }
    return found.count <= limit ? .all(found) : .unknown(share: nil)
  }

  /// Returns the number of rows of a path that reads runs of one tree, all of which are results; nil for any other path.
  private func countOfRuns(_ path: AccessPath) throws -> Int? {
    guard path.residual.isAlways else { return nil }
    return switch path.source {
    case .scan(let scan): try scan.spans.reduce(0) { try $0 + count(scan.index.tree, in: $1.range) }
    case .textScan(let scan): try scan.positions.reduce(0) { try $0 + count(scan.tree, in: $1) }
    case .search, .rows, .intersection, .union, .parts, .byValue: nil
    }
  }

  /// Returns the number of all records of a question's type; nil for objects of other kinds.
  private func countOfAll(_ question: Question) throws -> Int? {
    guard question.kind == .records else { return nil }
    let type = Words(UInt64(question.recordType))
    return try count(IndexCatalog.recordCreated.tree, in: .prefix(type, columns: 1))
  }

  func ids(of users: RelatedUsers, limit: Int) throws -> [[UInt8]]? {
    try snapshot.ids(of: users, ofType: snapshot.recordType(of: .relations), limit: limit)
  }

  func rows(of kind: ObjectKind, _ field: ObjectField, identifiers: [[UInt8]]) throws -> [RowReference] {
    var rows: [RowReference] = []
    for identifier in identifiers {
      // A look-up finds an object by either of its names, and the condition asks for one of them.
      let found =
        try kind == .records
        ? snapshot.locateRecord(ofType: recordType, identifier).map(RowReference.init)
        : row(of: kind, identifier)
      if let found, try isNamed(found, kind, field, identifier) { rows.append(found) }
    }
    return rows
  }

  private func isNamed(
    _ row: RowReference, _ kind: ObjectKind, _ field: ObjectField, _ name: [UInt8]
  ) throws -> Bool {
    let isRemote = field == .remoteID
    switch kind {
    case .messages:
      let view = try snapshot.message(conversation: row.conversation, sequence: row.sequence)
      return unsafe (isRemote ? view.remoteIDBytes : view.identifierBytes)?.elementsEqual(name) ?? false
    case .announcements:
      let view = try snapshot.announcement(row.sequence)
      return unsafe (isRemote ? view.remoteIDBytes : view.identifierBytes)?.elementsEqual(name) ?? false
    case .conversations:
      let view = try snapshot.conversation(UInt32(truncatingIfNeeded: row.sequence))
      return unsafe (isRemote ? view.remoteIDBytes : view.identifierBytes)?.elementsEqual(name) ?? false
    case .parts:
      let view = try snapshot.message(conversation: row.conversation, sequence: row.sequence)
      return unsafe PartIdentifier(String(decoding: name, as: UTF8.self))?.message.utf8
        .elementsEqual(view.identifierBytes) ?? false
    case .records: return !isRemote
    case .identities: return !isRemote
    }
  }

  /// Returns the object of a kind with a name, as its identifier or its remote identifier; nil if the store's user sees none.
  func row(of kind: ObjectKind, _ identifier: [UInt8]) throws -> RowReference? {
    if kind == .conversations { return try conversation(identifier) }
    guard let text = String(validating: identifier, as: UTF8.self) else { return nil }
    return try snapshot.locate(text, kind, ofType: recordType)
  }

  private func conversation(_ identifier: [UInt8]) throws -> RowReference? {
    guard let view = try snapshot.conversation(of: identifier), view.isVisible else { return nil }
    return RowReference(sequence: UInt64(view.row))
  }
}

extension Condition {
  /// The identifiers, if the condition asks only that an object has one of them; otherwise nil.
  var identifiers: [[UInt8]]? {
    guard case .test(let test) = self, !test.isNegated, test.property == ObjectProperty([], .identifier),
      case .text(.ranges(let set), missing: false) = test.values
    else { return nil }
    return set.points
  }
}
