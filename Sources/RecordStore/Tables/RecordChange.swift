package import SatchelCoding

/// A record that is to be put under a key, or to be removed. It refers to the value's memory, which a `RecordArena` owns
/// and nobody changes: so it is Sendable.
@safe package struct RecordChange: @unchecked Sendable {
  /// The numbers are those of `CommitChanges`' bytes.
  enum Kind: UInt8 {
    case put = 0
    /// The record lies below: in the database, or in an older run of changes.
    case remove = 1
    /// The record was put by a change that this one replaces. The database may have an older one.
    case removeOwn = 2
    /// A record was removed that had been removed before.
    case removeMissing = 3
  }

  /// The bytes of the key, as they are in memory, and zeros.
  private var bytes: (UInt64, UInt64, UInt64)
  private let start: UnsafeRawPointer?
  private let length: Int
  let keyCount: UInt8
  private(set) var kind: Kind
  /// The number of changes that came before this one.
  var order: UInt32 = 0

  init(put value: UnsafeRawBufferPointer, _ key: KeyBytes) {
    unsafe self.init(key, .put, value)
  }

  /// Removes a record.
  /// - Parameter isOwn: Whether the record was put by a change that this one replaces.
  package init(remove key: KeyBytes, isOwn: Bool = false) {
    unsafe self.init(key, isOwn ? .removeOwn : .remove, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private init(_ key: KeyBytes, _ kind: Kind, _ value: UnsafeRawBufferPointer) {
    let words = key.bigEndianWords
    bytes = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian)
    keyCount = UInt8(truncatingIfNeeded: key.count)
    self.kind = kind
    unsafe start = value.baseAddress
    length = value.count
  }

  /// The value; nil if the record is removed.
  package var value: UnsafeRawBufferPointer? {
    kind == .put ? unsafe UnsafeRawBufferPointer(start: start, count: length) : nil
  }

  /// The key, in a form that compares like its bytes.
  @inline(__always)
  var key: RecordKey {
    RecordKey(bytes.0.bigEndian, bytes.1.bigEndian, bytes.2.bigEndian, count: Int(keyCount))
  }

  /// The bytes of the key.
  package var keyBytes: [UInt8] {
    (0..<Int(keyCount)).map { index in
      let word = index < 8 ? bytes.0 : index < 16 ? bytes.1 : bytes.2
      return UInt8(truncatingIfNeeded: word.bigEndian >> UInt64(56 - 8 * (index % 8)))
    }
  }

  /// The key, as a look-up takes it.
  var name: KeyBytes {
    var name = KeyBytes()
    for byte in keyBytes { name.append(byte) }
    return name
  }

  /// Returns this change as the only one of its key after an earlier one.
  func folded(onto earlier: Self) -> Self {
    var result = self
    switch (earlier.kind, kind) {
    // These say already what was before them.
    case (_, .put), (_, .removeOwn), (_, .removeMissing): break
    case (.put, .remove): result.kind = .removeOwn
    case (_, .remove): result.kind = .removeMissing
    }
    return result
  }
}

/// The bytes of a key, as numbers that compare like them.
struct RecordKey: Comparable {
  let first: UInt64
  let second: UInt64
  let third: UInt64
  let count: Int

  @inline(__always)
  init(_ first: UInt64, _ second: UInt64, _ third: UInt64, count: Int) {
    self.first = first
    self.second = second
    self.third = third
    self.count = count
  }

  @inline(__always)
  init(_ key: KeyBytes) {
    let words = key.bigEndianWords
    self.init(words.0, words.1, words.2, count: key.count)
  }

  /// Takes the first 24 bytes of a key in a database. A longer one, which only a damaged file has, is greater than all
  /// keys of changes that begin as it does.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(
      Self.word(bytes, 0), Self.word(bytes, 8), Self.word(bytes, 16), count: bytes.count)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    let rest = bytes.count &- offset
    if rest >= 8 {
      return unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    if rest <= 0 { return 0 }
    if rest == 4 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return UInt64(UInt32(bigEndian: word)) << 32
    }
    var word: UInt64 = 0
    for index in 0..<rest { word |= unsafe UInt64(bytes[offset &+ index]) << UInt64(56 &- 8 &* index) }
    return word
  }

  @inline(__always)
  static func < (left: Self, right: Self) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.second != right.second { return left.second < right.second }
    if left.third != right.third { return left.third < right.third }
    return left.count < right.count
  }
}
