#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How well objects match a pattern: BM25 with SQLite FTS5's constants and floor, so that both put the same objects first. A greater number is
/// better; SQLite's is the same with its sign changed.
package struct Relevance: Sendable {
  /// How soon more of the same word stops to count.
  package static let saturation = 1.2
  /// How much a longer text counts for less.
  package static let lengthShare = 0.75
  /// The weight of what half of all objects or more have.
  package static let leastWeight = 1e-6

  private let weights: [Double]
  private let averageLength: Double

  /// - Parameters:
  ///   - objects: How many objects there are to find.
  ///   - averageLength: The average number of words and characters of these objects.
  ///   - counts: For each word and phrase that is wanted, how many of the objects have it.
  package init(objects: Int, averageLength: Double, counts: [Int]) {
    weights = counts.map { count in
      let others = max(Double(objects) - Double(count), 0)
      let weight = log((others + 0.5) / (Double(count) + 0.5))
      return weight > 0 ? weight : Self.leastWeight
    }
    self.averageLength = averageLength > 0 ? averageLength : 1
  }

  /// Returns the relevance of an object.
  /// - Parameters:
  ///   - frequencies: How often it has each of the words and phrases; more than 255 makes no difference.
  ///   - length: The number of its words and characters.
  package func score(_ frequencies: ArraySlice<UInt8>, length: Int) -> Double {
    let long = Self.saturation * (1 - Self.lengthShare + Self.lengthShare * Double(length) / averageLength)
    var score = 0.0
    for (weight, frequency) in zip(weights, frequencies) where frequency > 0 {
      score += weight * (Double(frequency) * (Self.saturation + 1)) / (Double(frequency) + long)
    }
    return score
  }
}
