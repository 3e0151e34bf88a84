internal import SatchelModel
internal import Synchronization

/// Committed texts of one dictionary by their numbers. It only ever grows.
final class TextTable: Sendable {
  private struct Entries {
    /// By number: numbers are dense.
    var texts: [String?] = []
    /// Those of numbers so large that an array up to them would be mostly empty.
    var others: [UInt32: String] = [:]
    var numbers: [ByteString: UInt32] = [:]
    var bytes = 0

    func text(_ id: UInt32) -> String? {
      if Int(id) < texts.count { return texts[Int(id)] }
      return others.isEmpty ? nil : others[id]
    }

    func holds(_ id: UInt32) -> Bool {
      if Int(id) < texts.count { return texts[Int(id)] != nil }
      return others[id] != nil
    }

    mutating func put(_ id: UInt32, _ text: String) {
      if Int(id) < TextTable.longest {
        while texts.count <= Int(id) {
          texts.append(nil)
          bytes += MemoryLayout<String?>.stride
        }
        texts[Int(id)] = text
      } else {
        others[id] = text
      }
    }
  }

  private static let longest = 1 << 18
  private let entries = Mutex(Entries())

  /// About how much memory it takes.
  var bytes: Int { entries.withLock { $0.bytes } }

  func text(_ id: UInt32) -> String? { entries.withLock { $0.text(id) } }

  func holds(_ id: UInt32) -> Bool { entries.withLock { $0.holds(id) } }

  func number(of text: String) -> UInt32? { entries.withLock { $0.numbers[ByteString(text)] } }

  /// Those of some numbers that it does not have.
  func missing(of ids: [UInt32]) -> [UInt32] {
    entries.withLock { entries in ids.filter { !entries.holds($0) } }
  }

  func add(_ id: UInt32, _ text: String) {
    entries.withLock { entries in
      if !entries.holds(id) { entries.bytes += text.utf8.count + DictionaryCache.entryBytes }
      entries.put(id, text)
      entries.numbers[ByteString(text)] = id
    }
  }
}
