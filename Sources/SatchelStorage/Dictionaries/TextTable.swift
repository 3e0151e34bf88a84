internal import SatchelModel
internal import Synchronization

/// Committed texts of one dictionary by their numbers. It only ever grows.
final class TextTable: Sendable {
  private struct Entries {
    var texts: [UInt32: String] = [:]
    var numbers: [ByteString: UInt32] = [:]
    var bytes = 0
  }

  private let entries = Mutex(Entries())

  /// About how much memory it takes.
  var bytes: Int { entries.withLock { $0.bytes } }

  func text(_ id: UInt32) -> String? { entries.withLock { $0.texts[id] } }

  func number(of text: String) -> UInt32? { entries.withLock { $0.numbers[ByteString(text)] } }

  /// The first of some numbers that it does not have.
  func firstMissing(of ids: some Sequence<UInt32>) -> UInt32? {
    entries.withLock { entries in ids.first { entries.texts[$0] == nil } }
  }

  func add(_ id: UInt32, _ text: String) {
    entries.withLock { entries in
      if entries.texts.updateValue(text, forKey: id) == nil {
        entries.bytes += text.utf8.count + DictionaryCache.entryBytes
      }
      entries.numbers[ByteString(text)] = id
    }
  }
}
