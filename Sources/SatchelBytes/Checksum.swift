/// The 64-bit hash that every node and record of a file carries. It detects damage; it does not resist an attacker.
///
/// All arithmetic is on unsigned 64-bit numbers that wrap; `word(o)` is the little-endian number in the eight bytes
/// at offset `o`; `P0`…`P7` are `Checksum.constants`. Two numbers are mixed through their 128-bit product:
///
///     mix(a, b) = a ^ b ^ low(a * b) ^ high(a * b)
///
/// The inputs stay in the result, so that a factor of zero does not lose the other. For `n` bytes and a seed:
///
/// 1. Four lanes start as `L0 = seed ^ P0`, `L1 = seed ^ P1`, `L2 = seed ^ P2`, `L3 = seed ^ P3`.
/// 2. While at least 64 bytes are left, each lane `k` takes its 16 of the next 64 bytes, at `o = offset + 16 k`:
///    `Lk = mix(word(o) ^ P(k), word(o + 8) ^ Lk)`.
/// 3. While at least 16 bytes are left: `L0 = mix(word(offset) ^ P4, word(offset + 8) ^ L0)`.
/// 4. If any bytes are left (1 to 15), they are followed by zeros to 16 bytes `t`:
///    `L1 = mix(word(t) ^ P5, word(t + 8) ^ L1)`.
/// 5. The result is `mix(mix(L0 ^ P6, L1 ^ n), mix(L2 ^ P7, rotateLeft(L3, 32)))`, mixed once more:
///    `r = mix(r ^ P4, P5 ^ n)`.
@usableFromInline package enum Checksum {
  /// The fractional part of pi, 64 bits at a time.
  package static let constants: [UInt64] = [
    p0, p1, p2, p3, p4, p5, p6, p7,
  ]

  @inline(__always) static var p0: UInt64 { 0x243F_6A88_85A3_08D3 }
  @inline(__always) static var p1: UInt64 { 0x1319_8A2E_0370_7344 }
  @inline(__always) static var p2: UInt64 { 0xA409_3822_299F_31D0 }
  @inline(__always) static var p3: UInt64 { 0x082E_FA98_EC4E_6C89 }
  @inline(__always) static var p4: UInt64 { 0x4528_21E6_38D0_1377 }
  @inline(__always) static var p5: UInt64 { 0xBE54_66CF_34E9_0C6C }
  @inline(__always) static var p6: UInt64 { 0xC0AC_29B7_C97C_50DD }
  @inline(__always) static var p7: UInt64 { 0x3F84_D5B5_B547_0917 }

  /// Returns the hash of `bytes`. Takes about 0.05 ns per byte on long input.
  package static func hash(_ bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
    let count = bytes.byteCount
    var lane0 = seed ^ p0
    var lane1 = seed ^ p1
    var lane2 = seed ^ p2
    var lane3 = seed ^ p3
    var offset = 0
    while count &- offset >= 64 {
      lane0 = mix(word(bytes, offset) ^ p0, word(bytes, offset &+ 8) ^ lane0)
      lane1 = mix(word(bytes, offset &+ 16) ^ p1, word(bytes, offset &+ 24) ^ lane1)
      lane2 = mix(word(bytes, offset &+ 32) ^ p2, word(bytes, offset &+ 40) ^ lane2)
      lane3 = mix(word(bytes, offset &+ 48) ^ p3, word(bytes, offset &+ 56) ^ lane3)
      offset &+= 64
    }
    while count &- offset >= 16 {
      lane0 = mix(word(bytes, offset) ^ p4, word(bytes, offset &+ 8) ^ lane0)
      offset &+= 16
    }
    if offset < count {
      let left = count &- offset
      let low = left < 8 ? tail(bytes, offset, left) : word(bytes, offset)
      let high = left > 8 ? tail(bytes, offset &+ 8, left &- 8) : 0
      lane1 = mix(low ^ p5, high ^ lane1)
    }
    return result(lane0, lane1, lane2, lane3, count)
  }

  /// Returns the hash of 1 to 15 bytes that are given as two words: `low` has the first eight in little-endian order,
  /// `high` the others, with zeros behind the last one. For the short keys whose hash is needed for every record.
  package static func hash(low: UInt64, high: UInt64, count: Int, seed: UInt64 = 0) -> UInt64 {
    precondition(1...15 ~= count, "not a short key")
    return result(seed ^ p0, mix(low ^ p5, high ^ seed ^ p1), seed ^ p2, seed ^ p3, count)
  }

  /// Step 5 of the description above.
  @inline(__always)
  private static func result(
    _ lane0: UInt64, _ lane1: UInt64, _ lane2: UInt64, _ lane3: UInt64, _ count: Int
  ) -> UInt64 {
    let length = UInt64(count)
    let result = mix(
      mix(lane0 ^ p6, lane1 ^ length), mix(lane2 ^ p7, lane3 << 32 | lane3 >> 32))
    return mix(result ^ p4, p5 ^ length)
  }

  /// Returns the hash of `bytes`.
  package static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    unsafe hash(bytes.span.bytes, seed: seed)
  }

  /// Returns a 64-bit number that depends on every bit of both arguments. Used for table slots, and to fold numbers
  /// into a digest.
  @inlinable @inline(__always)
  package static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = first.multipliedFullWidth(by: second)
    return first ^ second ^ product.low ^ product.high
  }

  /// Returns the little-endian number in the last 1 to 7 bytes, from loads that overlap instead of a loop over bytes.
  @inline(__always)
  static func tail(_ bytes: RawSpan, _ offset: Int, _ count: Int) -> UInt64 {
    if count >= 4 {
      let last = UInt64(bytes.u32(offset &+ count &- 4))
      return UInt64(bytes.u32(offset)) | last << UInt64(8 &* (count &- 4))
    }
    let middle = count >> 1
    return UInt64(bytes.u8(offset)) | UInt64(bytes.u8(offset &+ middle)) << UInt64(8 &* middle)
      | UInt64(bytes.u8(offset &+ count &- 1)) << UInt64(8 &* (count &- 1))
  }

  /// Returns the little-endian number at `offset`, unchecked: the caller's loop has compared the offset with the
  /// count.
  @inline(__always)
  static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }
}
