import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelRecords

/// Answers the planner from lists in memory: what a store would answer whose objects are these messages, with all that
/// is asked of it counted one by one.
final class ListedSource: PlanningSource {
  let recordType: UInt32 = 0
  var indexSet = IndexCatalog.latestSet

  func has(_ index: TextIndexDefinition) -> Bool { true }

  func declaredIndexes(of kind: ObjectKind) -> [DeclaredIndex] { [] }
  private(set) var messages: [IndexedMessage] = []
  private var rows: [UInt16: [Words]] = [:]
  private var userNumbers: [String: UInt32] = [:]
  private var typeNumbers: [String: UInt32] = [:]
  private var types: [UInt32: [UInt32]] = [:]
  /// How often the planner has asked for a count.
  private(set) var counts = 0

  /// Adds a visible message.
  func add(
    _ sequence: UInt64, in conversation: UInt32, from sender: String, position: Int64? = nil,
    sentAt: Int64? = nil, receivedAt: Int64? = nil, isSent: Bool = true, isUnread: Bool = false,
    parts: [(type: String, size: Int64?)] = []
  ) {
    let members = parts.map { number(of: $0.type, in: &typeNumbers) }
    let set = typeSet(Set(members).sorted())
    let message = IndexedMessage(
      conversation: conversation, sequence: sequence, identifierHash: sequence &* 0x9E37_79B9_7F4A_7C15,
      fields: MessageFixedFields(
        sender: number(of: sender, in: &userNumbers), position: position, sentAt: sentAt,
        receivedAt: receivedAt, isSent: isSent, isUnread: isUnread, typeSet: set),
      parts: zip(parts, members).map { IndexedMessage.Part(mimeType: $1, size: $0.size) }, isVisible: true)
    messages.append(message)
    var changes = IndexChanges()
    changes.change(from: nil, to: message)
    for change in changes.numeric { rows[change.schema.id, default: []].append(change.row) }
  }

  func user(_ number: UInt32) -> String? { userNumbers.first { $0.value == number }?.key }

  private func number(of text: String, in numbers: inout [String: UInt32]) -> UInt32 {
    if let number = numbers[text] { return number }
    let number = UInt32(numbers.count)
    numbers[text] = number
    return number
  }

  private func typeSet(_ members: [UInt32]) -> UInt32 {
    if let known = types.first(where: { $0.value == members }) { return known.key }
    let number = UInt32(types.count)
    types[number] = members
    return number
  }

  // MARK: What the planner asks

  func count(_ tree: TreeSchema, in range: KeyRange) -> Int {
    counts += 1
    return rows[tree.id, default: []].count { range.contains($0) }
  }

  func count(_ tree: TextTreeSchema, in range: TextRange) -> Int {
    counts += 1
    return 0
  }

  func height(_ tree: TreeSchema) -> Int { 2 }

  func users(in set: TextSet) -> [UInt32]? { numbers(in: set, userNumbers) }

  func mimeTypes(in set: TextSet) -> [UInt32]? { numbers(in: set, typeNumbers) }

  private func numbers(in set: TextSet, _ numbers: [String: UInt32]) -> [UInt32]? {
    guard case .ranges(let ranges) = set else { return nil }
    return numbers.filter { ranges.contains(Array($0.key.utf8)) }.map(\.value).sorted()
  }

  func typeSets(holdingSomeOf set: TextSet) -> [UInt32]? {
    mimeTypes(in: set).map { some in
      types.filter { !$0.value.allSatisfy { !some.contains($0) } }.map(\.key).sorted()
    }
  }

  func number(of path: MetadataPath) -> UInt32? { nil }

  func participantSet(_ users: [Identity.ID]) -> UInt32? { nil }

  func members(of conversation: Conversation.ID) -> [UInt32] { [] }

  func conversationRows(meeting condition: Condition, limit: Int) -> [UInt32]? {
    guard case .test(let test) = condition, case .text(.ranges(let ranges), _) = test.values else {
      return nil
    }
    let rows = Set(messages.map(\.conversation)).sorted().filter { ranges.contains(Array("c\($0)".utf8)) }
    return rows.count > limit ? nil : rows
  }

  func references(
    by step: ReferenceStep, meeting condition: Condition, limit: Int
  ) -> FoundReferences { .unknown(share: nil) }

  func ids(of users: RelatedUsers, limit: Int) -> [[UInt8]]? { nil }

  func rows(of kind: ObjectKind, _ field: ObjectField, identifiers: [[UInt8]]) -> [RowReference] {
    guard kind == .messages else { return [] }
    return identifiers.compactMap { identifier in
      messages.first { Array("m\($0.sequence)".utf8) == identifier }
        .map { RowReference(sequence: $0.sequence, conversation: $0.conversation) }
    }.sorted()
  }

  func sorted(_ rows: [RowReference], of kind: ObjectKind, by order: OrderMatcher) -> [RowReference] { rows }
}
