/// All terms that an index of words has in its tree, one behind the other, with a zero byte around each: no term has one.
///
/// They are of one state of the tree, in which pending entries are not.
package final class KeptTerms: Sendable {
  /// The number of the index.
  let index: UInt32
  /// The state of the tree: see `Forest.state(of:)`.
  let state: (sequence: UInt64, count: UInt64)
  package let bytes: [UInt8]
  /// Whether some term has a byte.
  private let isThere: [Bool]

  /// More bytes of terms are not kept.
  static let maximumBytes = 16 << 20

  init(index: UInt32, state: (sequence: UInt64, count: UInt64), bytes: [UInt8]) {
    self.index = index
    self.state = state
    self.bytes = bytes
    var isThere = [Bool](repeating: false, count: 256)
    for byte in bytes { isThere[Int(byte)] = true }
    self.isThere = isThere
  }

  /// Whether bytes may be in the terms: false if one of them is in none, as is what ends terms that were cut where no words are that long.
  package func mayHave(_ literal: [UInt8]) -> Bool { literal.allSatisfy { isThere[Int($0)] } }
}
