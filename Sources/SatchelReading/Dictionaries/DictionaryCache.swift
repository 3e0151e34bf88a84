internal import SatchelCoding
internal import SatchelModel
internal import Synchronization

/// Dictionary entries that have been read, shared by all transactions of a store, and the declared record types.
///
/// No process ever reuses a number or removes an entry. So an entry that was once committed is right in every later
/// snapshot; in an earlier snapshot nothing refers to its number. Nothing here has to be dropped when another process
/// commits. Only the absence of an entry can change, so absence is not remembered. Entries of a transaction that has
/// not committed stay with its writer. A dictionary that outgrows its limit is emptied and filled again.
package final class DictionaryCache: Sendable {
  private struct Sets {
    var members: [UInt32: [UInt32]] = [:]
    var numbers: [[UInt32]: UInt32] = [:]
    /// The members of participant sets in the form in which conversations show them.
    var participants: [UInt32: [Identity.ID]] = [:]
    var bytes = 0
  }

  /// The most bytes of texts or sets that are kept of a dictionary, including a flat rate per entry for its tables.
  private static let maximumBytes = 8 << 20
  static let entryBytes = 96

  private let texts = Mutex<[TextTable]>(DictionaryKind.allCases.map { _ in TextTable() })
  /// Raised when a table takes the place of another one.
  private let replacements = Atomic(0)
  private let sets = Mutex<[Sets]>(Array(repeating: Sets(), count: DictionaryKind.allCases.count))

  /// The declared record types that were read last.
  private let recordTypes = Mutex<KeptRecordTypes?>(nil)

  /// The terms of indexes of words that were looked through last.
  private let terms = Mutex<KeptTerms?>(nil)

  package init() {}

  /// Which tables `tables` returns. As long as it stays, so do they.
  var generation: Int { replacements.load(ordering: .acquiring) }

  /// The texts that have been read, by dictionary. A caller that keeps a table keeps its contents, and reads it without
  /// a lock: each of LMDB's readers asks for the tables once a generation.
  var tables: [TextTable] { texts.withLock { $0 } }

  func members(_ kind: DictionaryKind, _ id: UInt32) -> [UInt32]? {
    sets.withLock { $0[Int(kind.rawValue)].members[id] }
  }

  func number(_ kind: DictionaryKind, of members: [UInt32]) -> UInt32? {
    sets.withLock { $0[Int(kind.rawValue)].numbers[members] }
  }

  /// Remembers a committed entry.
  /// - Returns: The table that now holds the entry.
  @discardableResult
  func add(_ kind: DictionaryKind, _ id: UInt32, _ text: String) -> TextTable {
    let table = texts.withLock { tables in
      if tables[Int(kind.rawValue)].bytes > Self.maximumBytes {
        tables[Int(kind.rawValue)] = TextTable()
        replacements.add(1, ordering: .releasing)
      }
      return tables[Int(kind.rawValue)]
    }
    table.add(id, text)
    return table
  }

  /// Returns the record types of a table with a count and digest: those that are remembered, if they are of such a table, or those that
  /// `read` returns, which are then remembered.
  func recordTypes(
    of table: Seal.Summary, else read: () throws -> DeclaredRecordTypes
  ) throws -> DeclaredRecordTypes {
    if let kept = recordTypes.withLock({ $0 }), kept.table == table { return kept.types }
    let types = try read()
    recordTypes.withLock { $0 = KeptRecordTypes(table: table, types: types) }
    return types
  }

  /// Returns the terms that were kept last.
  func keptTerms() -> KeptTerms? { terms.withLock { $0 } }

  /// Keeps terms in the place of others.
  func keep(_ kept: KeptTerms) { terms.withLock { $0 = kept } }

  /// Returns the user ids of a participant set, by ascending bytes, or nil if they are not remembered.
  func participants(_ set: UInt32) -> [Identity.ID]? {
    sets.withLock { $0[Int(DictionaryKind.participantSets.rawValue)].participants[set] }
  }

  /// Remembers the user ids of a committed participant set.
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

/// Declared record types, and the count and digest of the table that has them: no other types have the same.
struct KeptRecordTypes: Sendable {
  let table: Seal.Summary
  let types: DeclaredRecordTypes
}
