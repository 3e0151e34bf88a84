internal import SatchelCoding

/// The texts that the objects of one snapshot name by numbers. Objects hold on to it, and so to what was in it.
final class TextTables: Sendable {
  let users: TextTable
  let types: TextTable

  init(_ tables: [TextTable]) {
    users = tables[Int(DictionaryKind.users.rawValue)]
    types = tables[Int(DictionaryKind.mimeTypes.rawValue)]
  }
}

/// What a snapshot has met last: objects that follow one another name the same senders, types and conversations.
struct NamesMet {
  /// The tables of the store's cache, as they were when they were last filled.
  var tables: TextTables?
  /// The MIME types below 64 that are in `tables`, one bit each.
  var types: UInt64 = 0
  /// The users that are in `tables`, one bit each; as far as recipients have been met.
  var recipients: [UInt64] = []
  /// Users by the lowest bits of their numbers.
  var users: [(number: UInt32, text: String)?] = []
  /// The conversation that was named last.
  var conversation: (row: UInt32, identifier: String)?

  static let userSlots: UInt32 = 64
  /// How many words of recipients are kept at most: of users with larger numbers the tables are asked.
  static let mostRecipientWords = 4096
}

extension Snapshot {
  /// The store's tables as they are. Not in a write: what that has added is not for others to see.
  func namesTables() -> TextTables {
    if let tables = names.tables { return tables }
    let tables = TextTables(textTables)
    names.tables = tables
    return tables
  }

  /// Whether the tables have a MIME type.
  @inline(__always)
  func knows(type number: UInt32, _ tables: TextTables) -> Bool {
    if number < 64, names.types >> UInt64(number) & 1 == 1 { return true }
    guard tables.types.holds(number) else { return false }
    if number < 64 { names.types |= 1 << UInt64(number) }
    return true
  }

  /// Whether the tables have all recipients of a message.
  func knowsRecipients(of view: MessageView, _ tables: TextTables) -> Bool {
    guard view.hasRecipients else { return true }
    var knowsAll = true
    view.forEachRecipient { user, _ in
      if knowsAll { knowsAll = knows(user: user, tables) }
    }
    return knowsAll
  }

  private func knows(user number: UInt32, _ tables: TextTables) -> Bool {
    let (word, bit) = (Int(number / 64), UInt64(1) << UInt64(number % 64))
    if word < names.recipients.count, names.recipients[word] & bit != 0 { return true }
    guard tables.users.holds(number) else { return false }
    guard word < NamesMet.mostRecipientWords else { return true }
    if word >= names.recipients.count {
      names.recipients += repeatElement(0, count: word + 1 - names.recipients.count)
    }
    names.recipients[word] |= bit
    return true
  }

  /// The store's tables, with the types and recipients of a message in them. The cache may have given up a table that had
  /// outgrown its bound, so those of the snapshot are taken anew.
  func fillTables(for view: MessageView) throws -> TextTables {
    let tables = TextTables(textTables)
    names.tables = tables
    names.types = 0
    names.recipients.removeAll(keepingCapacity: true)
    try forEachPart(of: view) { part, _ in
      if !tables.types.holds(part.mimeType) {
        tables.types.add(part.mimeType, try mimeTypes.text(part.mimeType))
      }
    }
    for missing in tables.users.missing(of: recipients(of: view)) {
      tables.users.add(missing, try users.text(missing))
    }
    return tables
  }

  private func recipients(of view: MessageView) -> [UInt32] {
    var recipients: [UInt32] = []
    view.forEachRecipient { user, _ in recipients.append(user) }
    return recipients
  }

  /// The text of a user's number. Numbers mean the same for ever, so this is never wrong; but what a write has added goes
  /// when an earlier state comes back.
  package func userText(_ number: UInt32) throws -> String {
    guard pending == nil else { return try users.text(number) }
    let slot = Int(number % NamesMet.userSlots)
    if !names.users.isEmpty, let met = names.users[slot], met.number == number { return met.text }
    let text = try users.text(number)
    if names.users.isEmpty { names.users = Array(repeating: nil, count: Int(NamesMet.userSlots)) }
    names.users[slot] = (number, text)
    return text
  }
}
