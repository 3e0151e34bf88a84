package import SatchelModel
package import SatchelQuery
import Synchronization

/// Gives equal conditions equal numbers. So many live queries with the same condition test it once for each commit, and
/// without hashing it.
package final class ConditionNumbers: Sendable {
  private struct Key: Hashable {
    let kind: ObjectKind
    let condition: Condition
  }

  private struct Table {
    var numbers: [Key: Int] = [:]
    var entries: [Int: (key: Key, users: Int)] = [:]
    var next = 0
  }

  private let table = Mutex(Table())

  package init() {}

  /// Returns the number of a condition. Balance each call with a call of `release`.
  package func number(of condition: Condition, _ kind: ObjectKind) -> Int {
    let key = Key(kind: kind, condition: condition)
    return table.withLock { table in
      if let number = table.numbers[key] {
        table.entries[number]?.users += 1
        return number
      }
      let number = table.next
      table.next += 1
      table.numbers[key] = number
      table.entries[number] = (key, 1)
      return number
    }
  }

  /// Ends one use of a number.
  package func release(_ number: Int) {
    table.withLock { table in
      guard let entry = table.entries[number] else { return }
      if entry.users > 1 {
        table.entries[number]?.users -= 1
      } else {
        table.entries[number] = nil
        table.numbers[entry.key] = nil
      }
    }
  }
}
