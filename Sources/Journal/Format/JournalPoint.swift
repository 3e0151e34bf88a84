internal import SatchelBytes

/// A point in the history of a store: the sequence of a commit, and what all records up to it came to.
///
/// Two histories that have parted have different chain values, also where their sequences are equal. So a pair says which
/// journal goes with which store.
package struct JournalPoint: Sendable, Hashable {
  /// The sequence of the last commit; 0 before the first one.
  package let sequence: UInt64
  /// The checksum of the record that ends with the commit, which is seeded with that of the record before it.
  package let chain: UInt64

  package init(sequence: UInt64, chain: UInt64) {
    self.sequence = sequence
    self.chain = chain
  }

  /// The point of a store without commits.
  package static let start = JournalPoint(sequence: 0, chain: 0)

  /// Returns the point of a commit that follows this point and does not go through the journal, as a big write does not.
  package func jumped(to sequence: UInt64) -> JournalPoint {
    var bytes = ByteWriter(capacity: 8)
    bytes.u64(sequence)
    return JournalPoint(sequence: sequence, chain: Checksum.hash(bytes.bytes, seed: chain))
  }
}

extension JournalPoint: CustomStringConvertible {
  /// The pair, as errors name it.
  package var description: String { "(\(sequence), \(String(chain, radix: 16)))" }
}

/// The store that a journal belongs to: the 16 bytes of its UUID.
package struct JournalOwner: Sendable, Hashable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// What the checksums of headers are seeded with, so that a header of another store's journal is none of this one's.
  package var seed: UInt64 { Checksum.mix(high ^ 0x6A6F_7572_6E61_6C00, low) }
}

extension JournalOwner: CustomStringConvertible {
  /// The UUID as 32 hexadecimal digits.
  package var description: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
