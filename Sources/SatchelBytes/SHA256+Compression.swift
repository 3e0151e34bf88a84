extension SHA256 {
  /// Takes whole blocks into `state`.
  ///
  /// After eight rounds every working variable has its first role again. So the variables change their names from
  /// round to round instead of being moved, as the unrolled calls show.
  static func compress(_ blocks: RawSpan, into state: inout SIMD8<UInt32>) {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      unsafe roundConstants.withUnsafeBufferPointer { constants in
        var offset = 0
        while offset + blockSize <= blocks.byteCount {
          unsafe fill(schedule, from: blocks, at: offset)
          unsafe compress(schedule, constants, into: &state)
          offset += blockSize
        }
      }
    }
  }

  /// Fills the message schedule of one block: its sixteen words, and 48 words computed from them.
  @inline(__always)
  private static func fill(
    _ schedule: UnsafeMutableBufferPointer<UInt32>, from blocks: RawSpan, at offset: Int
  ) {
    for index in 0..<16 {
      unsafe schedule[index] = UInt32(
        bigEndian: blocks.unsafeLoadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self))
    }
    for index in 16..<64 {
      let (early, late) = unsafe (schedule[index - 15], schedule[index - 2])
      let sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ early &>> 3
      let sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ late &>> 10
      unsafe schedule[index] = sigma1 &+ schedule[index - 7] &+ sigma0 &+ schedule[index - 16]
    }
  }

  @inline(__always)
  private static func compress(
    _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>,
    into state: inout SIMD8<UInt32>
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in stride(from: 0, to: 64, by: 8) {
      unsafe round(a, b, c, &d, e, f, g, &h, schedule[index] &+ constants[index])
      unsafe round(h, a, b, &c, d, e, f, &g, schedule[index + 1] &+ constants[index + 1])
      unsafe round(g, h, a, &b, c, d, e, &f, schedule[index + 2] &+ constants[index + 2])
      unsafe round(f, g, h, &a, b, c, d, &e, schedule[index + 3] &+ constants[index + 3])
      unsafe round(e, f, g, &h, a, b, c, &d, schedule[index + 4] &+ constants[index + 4])
      unsafe round(d, e, f, &g, h, a, b, &c, schedule[index + 5] &+ constants[index + 5])
      unsafe round(c, d, e, &f, g, h, a, &b, schedule[index + 6] &+ constants[index + 6])
      unsafe round(b, c, d, &e, f, g, h, &a, schedule[index + 7] &+ constants[index + 7])
    }
    state = state &+ SIMD8(a, b, c, d, e, f, g, h)
  }

  /// Computes one round: `d` and `h` become the next round's `e` and `a`.
  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
    _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ word: UInt32
  ) {
    let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    let choice = g ^ e & (f ^ g)
    let mixed = h &+ sum1 &+ choice &+ word
    let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    let majority = a & b | c & (a | b)
    d = d &+ mixed
    h = mixed &+ sum0 &+ majority
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 - count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
