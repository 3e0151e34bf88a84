import SatchelBytes
import TestSupport
import Testing

/// The hash is the one that FORMAT.md describes, step by step, at every length.
struct HashTests {
  @Test func hashFollowsItsDescription() {
    var random = SeededGenerator()
    for length in Array(0...200) + [4080] {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let seed = random.next()
      #expect(Checksum.hash(bytes, seed: seed) == described(bytes, seed), "length \(length)")
      guard 1...15 ~= length else { continue }
      let padded = bytes + Array(repeating: 0, count: 16 - length)
      let words = stride(from: 0, to: 16, by: 8).map { start in
        (0..<8).reduce(UInt64(0)) { $0 | UInt64(padded[start + $1]) << UInt64(8 * $1) }
      }
      #expect(
        Checksum.hash(low: words[0], high: words[1], count: length, seed: seed) == described(bytes, seed))
    }
  }

  /// Section 2 of FORMAT.md, in the plainest way.
  private func described(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
    let p = Checksum.constants
    func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
      let product = a.multipliedFullWidth(by: b)
      return a ^ b ^ product.low ^ product.high
    }
    func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }
    var lanes = (0..<4).map { seed ^ p[$0] }
    var offset = 0
    while bytes.count - offset >= 64 {
      for lane in 0..<4 {
        let o = offset + 16 * lane
        lanes[lane] = mix(word(bytes, o) ^ p[lane], word(bytes, o + 8) ^ lanes[lane])
      }
      offset += 64
    }
    while bytes.count - offset >= 16 {
      lanes[0] = mix(word(bytes, offset) ^ p[4], word(bytes, offset + 8) ^ lanes[0])
      offset += 16
    }
    if offset < bytes.count {
      let t = Array(bytes[offset...]) + Array(repeating: 0, count: 16 - (bytes.count - offset))
      lanes[1] = mix(word(t, 0) ^ p[5], word(t, 8) ^ lanes[1])
    }
    let n = UInt64(bytes.count)
    let r = mix(mix(lanes[0] ^ p[6], lanes[1] ^ n), mix(lanes[2] ^ p[7], lanes[3] << 32 | lanes[3] >> 32))
    return mix(r ^ p[4], p[5] ^ n)
  }
}
