internal import SatchelCoding
internal import SatchelModel
internal import Synchronization

/// Dictionary entries that have been met, shared by all transactions of a store.
///
/// A number is never given twice and an entry never removed, by any process: what was committed once is true in every
/// later snapshot, and in an earlier one such a number names nothing. So nothing here ever has to be dropped when
/// another process commits; only absence, which does change, is not remembered. Entries of a transaction that has not
/// committed stay with its writer. A dictionary that outgrows its bound is forgotten and filled anew.
final class DictionaryCache: Sendable {
  private struct Sets {
    var members: [UInt32: [UInt32]] = [:]
    var numbers: [[UInt32]: UInt32] = [:]
    /// The members of sets of users as conversations show them.
    var participants: [UInt32: [Identity.ID]] = [:]
    var bytes = 0
  }

  /// The most bytes of texts or sets that a dictionary keeps, with a flat rate for its tables.
  private static let maximumBytes = 8 << 20
  static let entryBytes = 96

  private let texts = Mutex<[TextTable]>(DictionaryKind.allCases.map { _ in TextTable() })
  private let sets = Mutex<[Sets]>(Array(repeating: Sets(), count: DictionaryKind.allCases.count))

  /// The texts that have been met, by dictionary. Whoever holds on to a table keeps what was in it, and reads it without
  /// a lock: a snapshot asks for them once.
  var tables: [TextTable] { texts.withLock { $0 } }

  func members(_ kind: DictionaryKind, _ id: UInt32) -> [UInt32]? {
    sets.withLock { $0[Int(kind.rawValue)].members[id] }
  }

  func number(_ kind: DictionaryKind, of members: [UInt32]) -> UInt32? {
    sets.withLock { $0[Int(kind.rawValue)].numbers[members] }
  }

  /// Remembers a committed entry.
  /// - Returns: The table that has it now.
  @discardableResult
  func add(_ kind: DictionaryKind, _ id: UInt32, _ text: String) -> TextTable {
    let table = texts.withLock { tables in
      if tables[Int(kind.rawValue)].bytes > Self.maximumBytes { tables[Int(kind.rawValue)] = TextTable() }
      return tables[Int(kind.rawValue)]
    }
    table.add(id, text)
    return table
  }

  /// The user ids of a set of participants, by ascending bytes.
  func participants(_ set: UInt32) -> [Identity.ID]? {
    sets.withLock { $0[Int(DictionaryKind.participantSets.rawValue)].participants[set] }
  }

  /// Remembers the user ids of a committed set of participants.
  func add(participants: [Identity.ID], of set: UInt32) {
    let index = Int(DictionaryKind.participantSets.rawValue)
    sets.withLock { tables in
      if tables[index].bytes > Self.maximumBytes { tables[index] = Sets() }
      if tables[index].participants.updateValue(participants, forKey: set) == nil {
        tables[index].bytes += MemoryLayout<Identity.ID>.stride * participants.count + Self.entryBytes
      }
    }
  }

  /// Remembers a committed entry.
  func add(_ kind: DictionaryKind, _ id: UInt32, _ members: [UInt32]) {
    sets.withLock { tables in
      let index = Int(kind.rawValue)
      if tables[index].bytes > Self.maximumBytes { tables[index] = Sets() }
      if tables[index].members.updateValue(members, forKey: id) == nil {
        tables[index].bytes += 8 * members.count + Self.entryBytes
      }
      tables[index].numbers[members] = id
    }
  }
}
