/// A set of byte strings, each with a number from 0 on in the order in which they came. It looks up bytes where they lie, and keeps its memory
/// when it is emptied.
struct ByteTable: Sendable {
  /// The bytes of all strings, one behind the other.
  private(set) var bytes: [UInt8] = []
  /// Where each string ends.
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  /// The number of a string plus one, at its hash or the next free place; 0 where there is none. A power of two.
  private var slots = [Int32](repeating: 0, count: 64)

  var count: Int { ends.count }

  func range(of number: Int) -> Range<Int> { (number > 0 ? ends[number - 1] : 0)..<ends[number] }

  /// Returns the number of a string; nil if it is not in the set.
  func number(of string: UnsafeBufferPointer<UInt8>) -> Int? {
    let hash = unsafe Self.hash(string)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if hashes[number] == hash, unsafe isEqual(number, string) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Returns the number of a string, which is put in if it is not in the set.
  mutating func insert(_ string: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = unsafe Self.hash(string)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if hashes[number] == hash, unsafe isEqual(number, string) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    unsafe bytes.append(contentsOf: string)
    ends.append(bytes.count)
    hashes.append(hash)
    slots[slot] = Int32(truncatingIfNeeded: count)
    if count * 2 > slots.count { grow() }
    return count - 1
  }

  mutating func insert(_ string: [UInt8]) -> Int {
    unsafe string.withUnsafeBufferPointer { unsafe insert($0) }
  }

  mutating func removeAll() {
    guard count > 0 else { return }
    if slots.count > 1024, slots.count > 16 * count {
      slots = [Int32](repeating: 0, count: 64)
    } else {
      for slot in slots.indices { slots[slot] = 0 }
    }
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: number + 1)
    }
  }

  private func isEqual(_ number: Int, _ string: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = range(of: number)
    guard range.count == string.count else { return false }
    for offset in 0..<string.count where unsafe bytes[range.lowerBound + offset] != string[offset] {
      return false
    }
    return true
  }

  /// Whether bytes stand at a place of others, which go on at least that far.
  static func isEqual(_ text: UnsafeBufferPointer<UInt8>, from start: Int, _ bytes: [UInt8]) -> Bool {
    for offset in 0..<bytes.count where unsafe text[start + offset] != bytes[offset] { return false }
    return true
  }

  /// FNV-1a, with its bits mixed and a number that differs in each process: nobody can send words that have one hash.
  private static func hash(_ string: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = seed
    for index in 0..<string.count { hash = unsafe (hash ^ UInt64(string[index])) &* 0x100_0000_01B3 }
    hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
    return hash ^ hash >> 32
  }

  private static let seed = UInt64.random(in: 0...UInt64.max)
}
