internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

extension Writer {
  /// Returns the number of a text, which gets one now if it has none.
  func intern(_ kind: DictionaryKind, _ text: String) throws -> UInt32 {
    if let last = lastInterned[Int(kind.rawValue)], UTF8Order.areEqual(last.text, text) { return last.number }
    let number = try findOrAdd(kind, text)
    lastInterned[Int(kind.rawValue)] = (text, number)
    return number
  }

  private func findOrAdd(_ kind: DictionaryKind, _ text: String) throws -> UInt32 {
    if let number = try TextDictionary(flushed, kind).number(of: text) { return number }
    let bytes = Array(text.utf8)
    let number = try addEntry(kind, .text(bytes), bytes)
    pending.add(kind, number, text)
    return number
  }

  /// Returns the number of a set of ids, which gets one now if it has none.
  func intern(_ kind: DictionaryKind, set ids: some Sequence<UInt32>) throws -> UInt32 {
    let members = Set(ids).sorted()
    if let number = try SetDictionary(flushed, kind).number(of: members) { return number }
    let number = try addEntry(kind, .set(members), DictionaryEntry.packed(members))
    pending.add(kind, number, members)
    return number
  }

  private func addEntry(_ kind: DictionaryKind, _ entry: DictionaryEntry, _ bytes: [UInt8]) throws -> UInt32 {
    let number = seal[nextID: kind]
    guard number < .max else {
      throw SatchelError(
        .storeFull, "A dictionary of the store has no numbers left", ["dictionary": "\(kind)"])
    }
    seal[nextID: kind] = number + 1
    let key = ObjectKey.dictionary(kind, id: number).bytes
    try put(.dictionaries, databases.objects, key, entry.encode(kind, id: number), replacing: nil)
    forest.insert(
      IndexCatalog.dictionaryText.tree,
      TextKey(group: UInt64(kind.rawValue), text: bytes, row: UInt64(number)))
    return number
  }

  /// Returns the numbers of user ids, in the given order.
  func intern(users: some Sequence<Identity.ID>) throws -> [UInt32] {
    try users.map { try intern(.users, $0.rawValue) }
  }
}
