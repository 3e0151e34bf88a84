import Synchronization

/// Which way was the cheapest for questions of a shape, so that the next one of that shape need not weigh all of them.
///
/// It only ever says which of a question's own paths is tried, never what is read: each path gives the right answer. What
/// it says is dropped when the counts have become others, and after some uses, so that the choice follows the data. One
/// memory a store, for all its threads.
package final class PlanMemory: Sendable {
  /// The most shapes that are kept; with one more all are forgotten.
  package static let capacity = 256
  /// How often a way is taken before all of them are weighed again.
  package static let uses = 1000
  /// By how much a count may differ from that which was planned with. Small counts do not matter.
  private static let factor = 4
  private static let small = 16

  private struct Entry {
    let recipe: PathRecipe
    let cardinality: Int
    var uses = 0
  }

  private let entries = Mutex<[QuestionShape: Entry]>([:])

  package init() {}

  /// The way of a shape and the rows that it had; nil where it has to be found, for the first time or again.
  func recall(_ shape: QuestionShape) -> (recipe: PathRecipe, cardinality: Int)? {
    entries.withLock { entries in
      guard let place = entries.index(forKey: shape) else { return nil }
      guard entries.values[place].uses < Self.uses else {
        entries.remove(at: place)
        return nil
      }
      entries.values[place].uses += 1
      return (entries.values[place].recipe, entries.values[place].cardinality)
    }
  }

  /// Keeps the way that was found for a shape.
  func remember(_ recipe: PathRecipe, cardinality: Int, for shape: QuestionShape) {
    entries.withLock { entries in
      if entries.count >= Self.capacity, entries[shape] == nil { entries.removeAll(keepingCapacity: true) }
      entries[shape] = Entry(recipe: recipe, cardinality: cardinality)
    }
  }

  /// How many shapes are kept.
  package var count: Int { entries.withLock { $0.count } }

  /// Whether a count is about what was planned with.
  static func isNear(_ cardinality: Int, _ planned: Int) -> Bool {
    let (now, before) = (max(cardinality, small), max(planned, small))
    return now / factor <= before && before / factor <= now
  }
}
