import SatchelRecords
import SatchelText

/// The declared record types, found by their names and numbers.
package struct DeclaredRecordTypes: Sendable {
  /// The types, by ascending number.
  package private(set) var all: [DeclaredRecordType] = []
  private var places: [ByteString: Int] = [:]

  package init() {}

  /// Returns the type with a name; nil if there is none.
  package func named(_ name: String) -> DeclaredRecordType? { places[ByteString(name)].map { all[$0] } }

  /// Returns the type with a number; nil if there is none.
  /// - Complexity: O(log n).
  func numbered(_ id: UInt32) -> DeclaredRecordType? {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < all.count && all[low].id == id ? all[low] : nil
  }

  /// Puts a type in the place of the one with its name and number, or behind all others, whose numbers are less.
  package mutating func put(_ type: DeclaredRecordType) {
    let name = ByteString(type.type.name)
    let place = places[name]
    if let place, all[place].id == type.id { return all[place] = type }
    // In a damaged store, two may have one name: the first is found by it.
    if place == nil { places[name] = all.count }
    all.append(type)
  }
}
