internal import SatchelCoding

/// The texts of the numbers that the objects of a snapshot use. Objects keep this object, and with it the tables as
/// they were.
final class TextTables: Sendable {
  let users: TextTable
  let types: TextTable

  init(_ tables: [TextTable]) {
    users = tables[Int(DictionaryKind.users.rawValue)]
    types = tables[Int(DictionaryKind.mimeTypes.rawValue)]
  }
}

/// The names that a snapshot has read last. Consecutive objects often have the same senders, types and conversations.
struct NamesMet {
  /// The tables of the store's cache, as they were when they were last filled.
  var tables: TextTables?
  /// The MIME types with numbers below 64 that are known to be in `tables`, one bit each.
  var types: UInt64 = 0
  /// The users that are known to be in `tables`, one bit each.
  var knownUsers: [UInt64] = []
  /// Users, by the lowest bits of their numbers.
  var users: [(number: UInt32, text: String)?] = []
  /// The user who was read last.
  var user: (number: UInt32, text: String)?
  /// The conversation whose identifier was read last.
  var conversation: (row: UInt32, identifier: String)?
  /// The type of the application's record that was read last.
  var recordType: (id: UInt32, name: String)?

  static let userSlots: UInt32 = 64
  /// The most words of `knownUsers`. For users with larger numbers the tables are searched.
  static let mostUserWords = 4096
}

extension Snapshot {
  /// Returns the store's tables as they are. Not for a write, whose new entries others must not see.
  func namesTables() -> TextTables {
    if let tables = names.tables { return tables }
    let tables = TextTables(textTables)
    names.tables = tables
    return tables
  }

  /// Whether the tables hold the text of a MIME type.
  @inline(__always)
  func knows(type number: UInt32, _ tables: TextTables) -> Bool {
    if number < 64, names.types >> UInt64(number) & 1 == 1 { return true }
    guard tables.types.holds(number) else { return false }
    if number < 64 { names.types |= 1 << UInt64(number) }
    return true
  }

  /// Whether the tables hold the texts of all recipients of a message.
  func knowsRecipients(of view: MessageView, _ tables: TextTables) -> Bool {
    guard view.hasRecipients else { return true }
    var knowsAll = true
    view.forEachRecipient { user, _ in
      if knowsAll { knowsAll = knows(user: user, tables) }
    }
    return knowsAll
  }

  func knows(user number: UInt32, _ tables: TextTables) -> Bool {
    let (word, bit) = (Int(number / 64), UInt64(1) << UInt64(number % 64))
    if word < names.knownUsers.count, names.knownUsers[word] & bit != 0 { return true }
    guard tables.users.holds(number) else { return false }
    guard word < NamesMet.mostUserWords else { return true }
    if word >= names.knownUsers.count {
      names.knownUsers += repeatElement(0, count: word + 1 - names.knownUsers.count)
    }
    names.knownUsers[word] |= bit
    return true
  }

  /// Returns the store's tables after adding the types, the recipients and the sender of a message. The cache may have replaced a table
  /// that outgrew its limit, so the snapshot takes its tables again.
  func fillTables(for view: MessageView) throws -> TextTables {
    let tables = TextTables(textTables)
    names.tables = tables
    names.types = 0
    names.knownUsers.removeAll(keepingCapacity: true)
    try forEachPart(of: view) { part, _ in
      if !tables.types.holds(part.mimeType) {
        tables.types.add(part.mimeType, try mimeTypes.text(part.mimeType))
      }
    }
    for missing in tables.users.missing(of: recipients(of: view) + [view.sender]) {
      tables.users.add(missing, try users.text(missing))
    }
    return tables
  }

  private func recipients(of view: MessageView) -> [UInt32] {
    var recipients: [UInt32] = []
    view.forEachRecipient { user, _ in recipients.append(user) }
    return recipients
  }

  /// Returns the text of a user's number. A number never changes its meaning, so a text that is kept stays right. In a
  /// write none is kept: entries that the write has added are gone if an earlier state is restored.
  package func userText(_ number: UInt32) throws -> String {
    guard pending == nil else { return try users.text(number) }
    if let last = names.user, last.number == number { return last.text }
    let text = try names.user == nil ? users.text(number) : textOfMany(number)
    names.user = (number, text)
    return text
  }

  /// Returns the same in a read that has met more users than one.
  private func textOfMany(_ number: UInt32) throws -> String {
    let slot = Int(number % NamesMet.userSlots)
    if !names.users.isEmpty, let met = names.users[slot], met.number == number { return met.text }
    let text = try users.text(number)
    if names.users.isEmpty { names.users = Array(repeating: nil, count: Int(NamesMet.userSlots)) }
    names.users[slot] = (number, text)
    return text
  }

  /// Returns the name of a record type. In a write none is kept, as of users.
  func name(ofRecordType id: UInt32) throws -> String {
    if pending == nil, let last = names.recordType, last.id == id { return last.name }
    let name = try recordType(id).type.name
    if pending == nil { names.recordType = (id, name) }
    return name
  }
}
