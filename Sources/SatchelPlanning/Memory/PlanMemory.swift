import Synchronization

/// Remembers which path was the cheapest for questions of a shape, so that the next question of that shape need not
/// weigh all of its paths.
///
/// The memory only decides which of a question's own paths is taken, never what is read: each path gives the right
/// answer. An entry is not followed if the counts have changed much, and is dropped after a number of uses, so that the
/// choice follows the data. A store has one memory for all of its threads, in parts: each thread has a part, which it seldom
/// shares. With one lock for all, readers would wait for each other.
package final class PlanMemory: Sendable {
  /// The maximum number of shapes of a part. One more shape removes all its entries.
  package static let capacity = 256
  /// How often an entry is used before all paths are weighed again.
  package static let uses = 1000
  /// The factor by which a count may differ from the planned count. Counts below `small` are compared as `small`.
  private static let factor = 4
  private static let small = 16

  private struct Entry {
    let recipe: PathRecipe
    let cardinality: Int
    var uses = 0
  }

  /// What the threads of one number have remembered.
  private final class Part: Sendable {
    let entries = Mutex<[QuestionShape: Entry]>([:])
  }

  private let parts = (0..<ThreadShare.count).map { _ in Part() }

  /// The part of the current thread.
  private var part: Part { parts[ThreadShare.current] }

  package init() {}

  /// Returns the remembered path of a shape and its planned count; nil if the paths have to be weighed, for the first
  /// time or again.
  func recall(_ shape: QuestionShape) -> (recipe: PathRecipe, cardinality: Int)? {
    part.entries.withLock { entries in
      guard let index = entries.index(forKey: shape) else { return nil }
      guard entries.values[index].uses < Self.uses else {
        entries.remove(at: index)
        return nil
      }
      entries.values[index].uses += 1
      return (entries.values[index].recipe, entries.values[index].cardinality)
    }
  }

  /// Stores the path that was chosen for a shape.
  func remember(_ recipe: PathRecipe, cardinality: Int, for shape: QuestionShape) {
    part.entries.withLock { entries in
      if entries.count >= Self.capacity, entries[shape] == nil { entries.removeAll(keepingCapacity: true) }
      entries[shape] = Entry(recipe: recipe, cardinality: cardinality)
    }
  }

  /// The number of shapes that the current thread remembers.
  package var count: Int { part.entries.withLock { $0.count } }

  /// Returns whether a count is close to the count that was planned with.
  static func isNear(_ cardinality: Int, _ planned: Int) -> Bool {
    let (now, before) = (max(cardinality, small), max(planned, small))
    return now / factor <= before && before / factor <= now
  }
}
