extension JSONReader {
  /// What is kept of a key that was read: enough to tell most keys apart without comparing their bytes.
  struct KeyMark {
    let hash: UInt64
    let offset: Int
  }

  /// A key that was read, and what its object's shape says of it.
  struct Key {
    let text: String
    let hash: UInt64
    let known: KnownKey?
    /// The shape of the key's value; nil if the value is not kept.
    let shape: JSONShape?
  }

  /// Reads a key. Its opening quote is the next byte. No text is made of a key that the shape names.
  mutating func readKey(_ bytes: RawSpan, _ shape: JSONShape) throws(JSONError) -> Key {
    let start = position
    position += 1
    try skipPlainCharacters(bytes)
    guard bytes[position] == UInt8(ascii: "\"") else {
      position = start
      let text = try readString(bytes)
      return unsafe key(text, Array(text.utf8).span.bytes, shape)
    }
    let content = bytes.extracting(start + 1..<position)
    let hash = Self.hash(content)
    if let entry = shape.entry(of: content, hash: hash) {
      position += 1
      return Key(text: entry.key, hash: hash, known: entry.known, shape: entry.shape)
    }
    position = start
    return key(try readString(bytes), content, shape)
  }

  /// Returns the key of a text, given with its bytes.
  private func key(_ text: String, _ bytes: RawSpan, _ shape: JSONShape) -> Key {
    let hash = Self.hash(bytes)
    if let entry = shape.entry(of: bytes, hash: hash) {
      return Key(text: text, hash: hash, known: entry.known, shape: entry.shape)
    }
    let value = shape.isOpen ? shape : shape.keepsObjects ? JSONShape.everything : nil
    return Key(text: text, hash: hash, known: nil, shape: value)
  }

  /// Returns the offset of the first key that repeats an earlier one, or nil.
  ///
  /// A few keys are compared pair by pair. Many are sorted by hash and bytes, so that a hostile object (a million
  /// keys, or a million keys with one hash) costs no more than n log n comparisons.
  func firstRepeatedKey(of members: [JSONObject.Member], marks: ArraySlice<KeyMark>) -> Int? {
    let base = marks.startIndex
    guard members.count > 16 else {
      for later in members.indices.dropFirst() {
        for earlier in 0..<later
        where marks[base + earlier].hash == marks[base + later].hash
          && members[earlier].key.hasSameBytes(as: members[later].key)
        {
          return marks[base + later].offset
        }
      }
      return nil
    }
    let order = members.indices.sorted { a, b in
      let (markA, markB) = (marks[base + a], marks[base + b])
      if markA.hash != markB.hash { return markA.hash < markB.hash }
      if !members[a].key.hasSameBytes(as: members[b].key) {
        return members[a].key.utf8.lexicographicallyPrecedes(members[b].key.utf8)
      }
      return a < b
    }
    return zip(order, order.dropFirst())
      .filter {
        marks[base + $0].hash == marks[base + $1].hash && members[$0].key.hasSameBytes(as: members[$1].key)
      }
      .map { marks[base + $1].offset }
      .min()
  }

  /// Returns a hash of a key's bytes, read eight at a time. It only has to be fast and to spread ordinary keys.
  static func hash(_ bytes: RawSpan) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: bytes.byteCount)
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      hash = (hash ^ bytes.word(at: offset)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 29
      offset += 8
    }
    var tail: UInt64 = 0
    while offset < bytes.byteCount {
      tail = tail &<< 8 | UInt64(bytes[offset])
      offset += 1
    }
    hash = (hash ^ tail) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash &>> 29
  }
}
