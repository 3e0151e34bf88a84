#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads keys from the bytes of a terminal. What is behind a key stays for the next one, also when a line has ended.
struct KeyReader {
  private var bytes: [UInt8] = []
  private var index = 0
  /// Whether the bytes are of a text that was pasted: they are no keys, but for the end of a line.
  private var isPasting = false

  /// Whether there is a byte that needs no waiting.
  var hasInput: Bool { index < bytes.count || Self.isReady(milliseconds: 0) }

  /// A line begins. A paste whose end was never told has ended.
  mutating func begin() { if isPasting, !hasInput { isPasting = false } }

  /// Waits for the next key.
  mutating func next() -> Key {
    guard index < bytes.count || fill() else { return ended }
    let byte = bytes[index]
    switch byte {
    case 0x1B:
      index += 1
      return sequence()
    case 0x0D:
      index += 1
      // A pasted line may end with both.
      if index < bytes.count, bytes[index] == 0x0A { index += 1 }
      return .enter
    case 0x0A:
      index += 1
      return .enter
    case 0..<0x20, 0x7F:
      index += 1
      guard isPasting else { return Key(control: byte) }
      return byte == 0x09 ? .text(" ") : .unknown
    default: return text()
    }
  }

  /// What it means that nothing could be read: a signal, or the end.
  private var ended: Key { isInterrupted ? .signal : .closed }
  private var isInterrupted = false

  /// Reads more bytes. Returns false at the end, and if a signal has come.
  private mutating func fill() -> Bool {
    bytes.removeAll(keepingCapacity: true)
    index = 0
    var buffer = [UInt8](repeating: 0, count: 4096)
    isInterrupted = !TerminalSignals.awaitInput()
    guard !isInterrupted else { return false }
    let count = unsafe read(0, &buffer, buffer.count)
    isInterrupted = count < 0 && (errno == EINTR || errno == EAGAIN)
    guard count > 0 else { return false }
    bytes.append(contentsOf: buffer[..<count])
    return true
  }

  private static func isReady(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0
  }

  /// Returns the next byte of a sequence, which comes at once or not at all.
  private mutating func follow() -> UInt8? {
    if index == bytes.count {
      guard Self.isReady(milliseconds: 100), fill() else { return nil }
    }
    defer { index += 1 }
    return bytes[index]
  }

  /// Reads what stands behind ESC.
  private mutating func sequence() -> Key {
    guard let first = follow() else { return .unknown }
    var sequence = [first]
    if first == UInt8(ascii: "[") {
      // Parameters and intermediate bytes, then one that ends the sequence.
      repeat {
        guard let byte = follow(), sequence.count < 32 else { return .unknown }
        sequence.append(byte)
      } while (0x20...0x3F).contains(sequence.last ?? 0)
    } else if first == UInt8(ascii: "O") {
      guard let byte = follow() else { return .unknown }
      sequence.append(byte)
    }
    let text = String(decoding: sequence, as: UTF8.self)
    switch text {
    case "[200~":
      isPasting = true
      return next()
    case "[201~":
      isPasting = false
      // Somebody may wait for the line to be shown.
      return .text("")
    default: return isPasting ? .unknown : Key(sequence: text)
    }
  }

  /// Reads the scalars that are there, or one that has begun. Bytes that are no UTF-8 are passed over.
  private mutating func text() -> Key {
    var text = String.UnicodeScalarView()
    repeat {
      guard let scalar = scalar() else { return text.isEmpty ? .unknown : .text(String(text)) }
      text.append(scalar)
    } while index < bytes.count && bytes[index] >= 0x20 && bytes[index] != 0x7F
    return .text(String(text))
  }

  private mutating func scalar() -> Unicode.Scalar? {
    guard let first = follow() else { return nil }
    var encoded = [first]
    let length =
      first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    while encoded.count < length {
      guard let byte = follow() else { return nil }
      guard byte & 0xC0 == 0x80 else {
        // It belongs to what follows.
        index -= 1
        return nil
      }
      encoded.append(byte)
    }
    guard length > 0, let text = String(validating: encoded, as: UTF8.self) else { return nil }
    return text.unicodeScalars.first
  }
}
