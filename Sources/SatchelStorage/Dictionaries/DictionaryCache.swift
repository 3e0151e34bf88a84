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
  private struct Texts {
    var texts: [UInt32: String] = [:]
    var numbers: [ByteString: UInt32] = [:]
    var bytes = 0
  }

  private struct Sets {
    var members: [UInt32: [UInt32]] = [:]
    var numbers: [[UInt32]: UInt32] = [:]
    var bytes = 0
  }

  /// The most bytes of texts or sets that a dictionary keeps, with a flat rate for its tables.
  private static let maximumBytes = 8 << 20
  private static let entryBytes = 96

  private let texts = Mutex<[Texts]>(Array(repeating: Texts(), count: DictionaryKind.allCases.count))
  private let sets = Mutex<[Sets]>(Array(repeating: Sets(), count: DictionaryKind.allCases.count))

  func text(_ kind: DictionaryKind, _ id: UInt32) -> String? {
    texts.withLock { $0[Int(kind.rawValue)].texts[id] }
  }

  func number(_ kind: DictionaryKind, of text: String) -> UInt32? {
    texts.withLock { $0[Int(kind.rawValue)].numbers[ByteString(text)] }
  }

  func members(_ kind: DictionaryKind, _ id: UInt32) -> [UInt32]? {
    sets.withLock { $0[Int(kind.rawValue)].members[id] }
  }

  func number(_ kind: DictionaryKind, of members: [UInt32]) -> UInt32? {
    sets.withLock { $0[Int(kind.rawValue)].numbers[members] }
  }

  /// Remembers a committed entry.
  func add(_ kind: DictionaryKind, _ id: UInt32, _ text: String) {
    texts.withLock { tables in
      let index = Int(kind.rawValue)
      if tables[index].bytes > Self.maximumBytes { tables[index] = Texts() }
      if tables[index].texts.updateValue(text, forKey: id) == nil {
        tables[index].bytes += text.utf8.count + Self.entryBytes
      }
      tables[index].numbers[ByteString(text)] = id
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
