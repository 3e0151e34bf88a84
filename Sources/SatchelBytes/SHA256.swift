/// The SHA-256 (FIPS 180-4) of bytes that come piece by piece. It guards against cut-off and damaged files. A few
/// hundred megabytes a second are enough for that, and a dependency would be too much.
package struct SHA256: Sendable {
  /// The eight words of the hash so far.
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
  /// The bytes after the last whole block, fewer than `blockSize`.
  private var partial: [UInt8] = []
  /// How many bytes there were so far.
  private var byteCount: UInt64 = 0

  package init() {
    partial.reserveCapacity(Self.blockSize)
  }

  package mutating func update(_ bytes: [UInt8]) {
    unsafe update(bytes.span.bytes)
  }

  package mutating func update(_ bytes: RawSpan) {
    byteCount &+= UInt64(bytes.byteCount)
    var start = 0
    if !partial.isEmpty {
      // A full `partial` is copied, because `state` may not change while `partial` is borrowed from the same value.
      start = min(Self.blockSize - partial.count, bytes.byteCount)
      unsafe bytes.extracting(0..<start).withUnsafeBytes { unsafe partial.append(contentsOf: $0) }
      guard partial.count == Self.blockSize else { return }
      let block = partial
      unsafe Self.compress(block.span.bytes, into: &state)
      partial.removeAll(keepingCapacity: true)
    }
    let whole = (bytes.byteCount - start) / Self.blockSize * Self.blockSize
    Self.compress(bytes.extracting(start..<start + whole), into: &state)
    unsafe bytes.extracting((start + whole)...).withUnsafeBytes { unsafe partial.append(contentsOf: $0) }
  }

  /// Returns the 32 bytes of the hash of everything so far; more may follow.
  package func digest() -> [UInt8] {
    // The padding: one bit, zeros up to the last eight bytes of a block, then the length in bits.
    var tail = partial
    tail.append(0x80)
    while tail.count % Self.blockSize != Self.blockSize - 8 { tail.append(0) }
    let bitCount = byteCount &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    var state = state
    unsafe Self.compress(tail.span.bytes, into: &state)
    return state.indices.flatMap { index in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: state[index] >> UInt32($0)) }
    }
  }

  /// Returns the hash of everything so far as 64 hexadecimal digits in lower case, as in the format's trailer.
  package func hexadecimalDigest() -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = digest().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  static let blockSize = 64
}
