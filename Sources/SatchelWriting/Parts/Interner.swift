internal import RankedIndex
internal import RankedKeys
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelReading
import SatchelText

/// Gives texts and sets of numbers the numbers under which records and indexes name them.
package final class Interner {
  private let tables: RecordTables
  private let forest: Forest
  private let snapshot: Snapshot
  /// The entries that the transaction has added, including those of its earlier writes.
  let added: PendingDictionaries
  /// The last text of each dictionary, with its number. Not checked for exclusive access at run time: no access lasts
  /// while other code runs.
  @safe @exclusivity(unchecked) private var last: [(text: String, number: UInt32)?] = Array(
    repeating: nil, count: DictionaryKind.allCases.count)
  /// Texts that were asked for, each in the slot of its hash; empty until so many were asked for that it is worth its memory.
  @safe @exclusivity(unchecked) private var recent: [Recent?] = []
  @safe @exclusivity(unchecked) private var asked = 0
  /// The types of the parts of some messages.
  @safe @exclusivity(unchecked) private var knownTypes: [PartTypes] = []

  private struct Recent {
    let kind: DictionaryKind
    let text: String
    let number: UInt32
  }

  private static let recentSlots = 1024
  private static let knownTypesBound = 8

  init(_ tables: RecordTables, _ forest: Forest, _ snapshot: Snapshot, added: PendingDictionaries) {
    self.tables = tables
    self.forest = forest
    self.snapshot = snapshot
    self.added = added
  }

  /// Returns the number of a text, which gets one now if it has none.
  func intern(_ kind: DictionaryKind, _ text: String) throws -> UInt32 {
    if let known = last[Int(kind.rawValue)], UTF8Order.areEqual(known.text, text) { return known.number }
    let number = try recentNumber(kind, text)
    last[Int(kind.rawValue)] = (text, number)
    return number
  }

  private func recentNumber(_ kind: DictionaryKind, _ text: String) throws -> UInt32 {
    guard !recent.isEmpty else {
      asked += 1
      if asked == Self.recentSlots { recent = Array(repeating: nil, count: Self.recentSlots) }
      return try findOrAdd(kind, text)
    }
    var copy = text
    let hash = copy.withUTF8 { unsafe Checksum.hash(UnsafeRawBufferPointer($0).bytes) }
    let slot = Int(truncatingIfNeeded: hash) & (Self.recentSlots - 1)
    if let known = recent[slot], known.kind == kind, UTF8Order.areEqual(known.text, text) {
      return known.number
    }
    let number = try findOrAdd(kind, text)
    recent[slot] = Recent(kind: kind, text: text, number: number)
    return number
  }

  private func findOrAdd(_ kind: DictionaryKind, _ text: String) throws -> UInt32 {
    if let number = try TextDictionary(snapshot, kind).number(of: text) { return number }
    let bytes = Array(text.utf8)
    let number = try addEntry(kind, .text(bytes), bytes)
    added.add(kind, number, text)
    return number
  }

  /// Returns the number of a set of ids, which gets one now if it has none.
  func intern(_ kind: DictionaryKind, set ids: some Sequence<UInt32>) throws -> UInt32 {
    let members = Set(ids).sorted()
    if let number = try SetDictionary(snapshot, kind).number(of: members) { return number }
    let number = try addEntry(kind, .set(members), DictionaryEntry.packed(members))
    added.add(kind, number, members)
    return number
  }

  private func addEntry(_ kind: DictionaryKind, _ entry: DictionaryEntry, _ bytes: [UInt8]) throws -> UInt32 {
    let number = try tables.takeEntry(of: kind)
    let key = ObjectKey.dictionary(kind, id: number).bytes
    try tables.put(.dictionaries, key, entry.encode(kind, id: number), replacing: nil)
    forest.insert(
      IndexCatalog.dictionaryText.tree,
      TextKey(group: UInt64(kind.rawValue), text: bytes, row: UInt64(number)))
    return number
  }

  /// Returns the numbers of user ids, in the given order.
  func intern(users: some Sequence<Identity.ID>) throws -> [UInt32] {
    try users.map { try intern(.users, $0.rawValue) }
  }

  /// Returns the number of a key path of metadata, which gets one now if it has none.
  package func intern(path: String) throws -> UInt32 { try intern(.metadataPaths, path) }

  /// Returns the number of a key path, or nil if it has none. A key path gets a number when it enters the log or an
  /// index. The metadata that a message is created with enters neither in a store that does not index it, and deleting the message
  /// need not give numbers to its key paths.
  func knownNumber(ofPath path: String) throws -> UInt32? { try snapshot.metadataPaths.number(of: path) }

  /// Returns the types of some parts and the set of these types. They are mostly the same as those of an earlier message.
  func intern(typesOf parts: [MessagePart.Draft]) throws -> PartTypes {
    if parts.count == 1 {
      let member = try intern(.mimeTypes, parts[0].mimeType)
      for index in knownTypes.indices
      where knownTypes[index].members.count == 1 && knownTypes[index].members[0] == member {
        return knownTypes[index]
      }
    }
    let members = try parts.map { try intern(.mimeTypes, $0.mimeType) }
    for types in knownTypes where types.members == members { return types }
    let types = PartTypes(members: members, set: try intern(.typeSets, set: members))
    if knownTypes.count == Self.knownTypesBound { knownTypes.removeFirst() }
    knownTypes.append(types)
    return types
  }

  /// Returns recipients with the numbers of their users, in the order of the entries.
  func intern(_ entries: [RecipientStatusEntry]) throws -> [RecipientFields] {
    guard !entries.isEmpty else { return [] }
    var recipients: [RecipientFields] = []
    recipients.reserveCapacity(entries.count)
    for entry in entries {
      recipients.append(
        RecipientFields(user: try intern(.users, entry.user.rawValue), status: entry.status))
    }
    return recipients
  }

  /// The numbers of the types of a message's parts, and of the set of them.
  struct PartTypes {
    let members: [UInt32]
    let set: UInt32
  }
}
