import SatchelBytes
import Testing

/// The checksum is part of the file format: these values never change.
@Suite struct ChecksumTests {
  private static func sample(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ 7) }
  }

  /// Computed by a second implementation, written from the description alone.
  private static let vectors: [(count: Int, seed: UInt64, hash: UInt64)] = [
    (0, 0, 0x6EC3_0826_8A27_6F99), (1, 0, 0x57D7_F74A_B399_B69A),
    (8, 0, 0x5F12_4E67_208F_8E54), (15, 0, 0x0165_CA61_8E4F_42B8),
    (16, 0, 0x2752_3591_C420_506F), (17, 1, 0x2383_3E2E_612F_D167),
    (63, 0, 0x6357_10E2_8ECA_FAE1), (64, 0, 0x25A3_2A0F_F429_F248),
    (65, 0, 0x6F52_A28E_45B4_B020), (128, 2, 0x8701_6353_33C3_2CFD),
    (1_000, 0, 0x9D7F_9E24_7E6B_EAB6), (4_080, 0, 0x199F_CAB4_DDD7_9360),
  ]

  @Test func valuesArePinned() {
    for vector in Self.vectors {
      #expect(
        Checksum.hash(Self.sample(vector.count), seed: vector.seed) == vector.hash, "\(vector.count) bytes")
    }
  }

  /// Every single flipped bit, changed length and changed seed shows.
  @Test func everyBitCounts() {
    for count in [1, 7, 8, 16, 31, 64, 100, 200] {
      let bytes = Self.sample(count)
      var seen: Set<UInt64> = [Checksum.hash(bytes)]
      for bit in 0..<count * 8 {
        var other = bytes
        other[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(seen.insert(Checksum.hash(other)).inserted)
      }
      #expect(seen.insert(Checksum.hash(bytes + [0])).inserted)
      #expect(seen.insert(Checksum.hash(bytes, seed: 1)).inserted)
    }
  }
}
