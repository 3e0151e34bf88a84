internal import RecordStore
internal import SatchelBytes
internal import SatchelCoding

/// What a simulated store holds: few values, of which each commit changes some, and which together tell of which commit they are.
struct Content: Equatable {
  /// The last commits' tokens, each at its number.
  var tokens = [UInt64](repeating: 0, count: slots)
  /// What all tokens up to the last commit come to.
  var digest: UInt64 = 0
  /// The bytes of a value that is there to make records of different sizes.
  var padding = 0

  static let slots = 4
  private static let keys = (0..<UInt64(slots + 2)).map { MessageKey(conversation: 1, sequence: $0).bytes }

  init() {}

  /// What a reader sees: the database with the commits that it does not have.
  init(_ version: SimulatedDatabase.Version, _ tail: Tail?) {
    self = version.content
    guard let tail, !tail.isEmpty else { return }
    for slot in 0..<Self.slots {
      if let value = tail.value(of: Self.keys[slot], in: .messages) { tokens[slot] = Self.number(value) }
    }
    if let value = tail.value(of: Self.keys[Self.slots], in: .messages) { digest = Self.number(value) }
    if let value = tail.value(of: Self.keys[Self.slots + 1], in: .messages) { padding = value.count }
  }

  /// Adds a commit.
  mutating func commit(_ number: UInt64, _ token: UInt64, padding: Int) {
    tokens[Int(number % UInt64(Self.slots))] = token
    self.padding = padding
    digest = Checksum.mix(digest ^ number &* 0x9E37_79B9_7F4A_7C15, token &+ UInt64(padding) << 32 &+ 1)
  }

  /// Returns what leads from another state to this one, as the bytes of a commit's changes.
  func changes(after other: Content, _ seal: Seal) -> [UInt8] {
    var values: [(key: KeyBytes, value: [UInt8])] = []
    for slot in 0..<Self.slots where tokens[slot] != other.tokens[slot] {
      values.append((Self.keys[slot], Self.bytes(tokens[slot])))
    }
    values.append((Self.keys[Self.slots], Self.bytes(digest)))
    values.append(
      (Self.keys[Self.slots + 1], [UInt8](repeating: UInt8(truncatingIfNeeded: digest), count: padding)))
    var writer = ByteWriter(capacity: 1024)
    writer.counted(seal.encode())
    writer.varint(UInt64(values.count))
    for (key, value) in values {
      writer.u8(0)
      writer.counted(key.withUnsafeBytes { [UInt8]($0) })
      writer.counted(value)
    }
    // No bodies, objects, rows and texts.
    for _ in 0..<4 { writer.varint(0) }
    return writer.bytes
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
