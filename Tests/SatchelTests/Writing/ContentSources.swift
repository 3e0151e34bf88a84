import Satchel
import SatchelCoding
import SatchelStorage
import Synchronization
import TestSupport

/// Returns bytes that depend on a seed and on their place.
func randomBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var random = SeededGenerator(seed: seed)
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

struct Broken: Error {}

/// A sequence that fails, or ends the process, before a piece.
struct Failing: Sequence, Sendable {
  let piece: Int
  let last: Int
  var end: @Sendable () -> Void = {}

  func makeIterator() -> AnyIterator<[UInt8]> {
    var number = 0
    return AnyIterator {
      if number == last { end() }
      number += 1
      return number <= last ? randomBytes(piece, seed: UInt64(number)) : nil
    }
  }
}

/// Pieces, of which it is noted before each how many bytes have been given and are not in the store.
struct CountedChunks: Sequence, Sendable {
  let base: Store
  let piece: Int
  let count: Int
  let most = Most()

  final class Most: Sendable {
    private let bytes = Mutex(0)
    var value: Int { bytes.withLock(\.self) }
    func note(_ count: Int) { bytes.withLock { $0 = Swift.max($0, count) } }
  }

  func makeIterator() -> AnyIterator<[UInt8]> {
    var given = 0
    return AnyIterator {
      let pieces = (try? base.read { Int($0.seal[.bodies].count) }) ?? 0
      most.note(given - pieces * BodyLayout.pieceContent)
      guard given < piece * count else { return nil }
      given += piece
      return [UInt8](repeating: UInt8(truncatingIfNeeded: given), count: piece)
    }
  }
}
