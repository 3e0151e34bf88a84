package import SatchelCoding
internal import SatchelModel
import SatchelText

/// The dictionary entries that the current write transaction has added, including those of its earlier writes. Nobody
/// else may see them before the commit.
package final class PendingDictionaries {
  private(set) var texts: [[UInt32: String]]
  private(set) var sets: [[UInt32: [UInt32]]]
  private var textNumbers: [[ByteString: UInt32]]
  private var setNumbers: [[[UInt32]: UInt32]]
  /// The number of entries.
  package private(set) var count = 0

  package init() {
    let count = DictionaryKind.allCases.count
    texts = Array(repeating: [:], count: count)
    sets = Array(repeating: [:], count: count)
    textNumbers = Array(repeating: [:], count: count)
    setNumbers = Array(repeating: [:], count: count)
  }

  /// Returns a copy, to which other entries can be added.
  package func copy() -> PendingDictionaries {
    let copy = PendingDictionaries()
    copy.texts = texts
    copy.sets = sets
    copy.textNumbers = textNumbers
    copy.setNumbers = setNumbers
    copy.count = count
    return copy
  }

  func text(_ kind: DictionaryKind, _ id: UInt32) -> String? { texts[Int(kind.rawValue)][id] }

  func members(_ kind: DictionaryKind, _ id: UInt32) -> [UInt32]? { sets[Int(kind.rawValue)][id] }

  func number(_ kind: DictionaryKind, of text: String) -> UInt32? {
    let numbers = textNumbers[Int(kind.rawValue)]
    return numbers.isEmpty ? nil : numbers[ByteString(text)]
  }

  func number(_ kind: DictionaryKind, of members: [UInt32]) -> UInt32? {
    setNumbers[Int(kind.rawValue)][members]
  }

  package func add(_ kind: DictionaryKind, _ id: UInt32, _ text: String) {
    count += 1
    texts[Int(kind.rawValue)][id] = text
    textNumbers[Int(kind.rawValue)][ByteString(text)] = id
  }

  package func add(_ kind: DictionaryKind, _ id: UInt32, _ members: [UInt32]) {
    count += 1
    sets[Int(kind.rawValue)][id] = members
    setNumbers[Int(kind.rawValue)][members] = id
  }

  /// Adds the entries to the cache, once they are committed.
  package func publish(to cache: DictionaryCache) {
    for kind in DictionaryKind.allCases {
      for (id, text) in texts[Int(kind.rawValue)] { cache.add(kind, id, text) }
      for (id, members) in sets[Int(kind.rawValue)] { cache.add(kind, id, members) }
    }
  }
}
