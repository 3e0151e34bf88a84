import Foundation

/// A key of the keyboard.
enum Key: Sendable, Equatable {
  case up, down, pageUp, pageDown, enter, tab, backspace, interrupt
  case character(Character)

  /// The keys as they are pressed, until the end of standard input.
  static var pressed: AsyncStream<Key> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        var bytes = [UInt8](repeating: 0, count: 1024)
        while case let count = read(0, &bytes, bytes.count), count > 0 {
          for key in keys(in: String(decoding: bytes[..<count], as: UTF8.self)) { continuation.yield(key) }
        }
        continuation.finish()
      }
    }
  }

  /// What a terminal sends for keys that are no characters.
  private static let sequences: [(text: String, key: Key?)] = [
    ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
    ("\u{1B}[", nil),
    ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
    ("\u{3}", .interrupt), ("\u{1B}", nil),
  ]

  private static func keys(in text: String) -> [Key] {
    var keys: [Key] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if let (sequence, key) = sequences.first(where: { rest.starts(with: $0.text.unicodeScalars) }) {
        rest = rest.dropFirst(sequence.unicodeScalars.count)
        if let key { keys.append(key) }
      } else {
        rest = rest.dropFirst()
        if first.value >= 32 { keys.append(.character(Character(first))) }
      }
    }
    return keys
  }
}
