import LMDB
import LMDBScenes
import TestSupport

/// What a `BusyStore` has to hold, and changes to both.
struct StoreModel {
  struct Change {
    let table: Int
    let key: [UInt8]
    /// Nil removes.
    let value: [UInt8]?
  }

  private(set) var tables: [[[UInt8]: [UInt8]]] = [[:], [:], [:]]

  init(_ store: BusyStore) throws {
    for (index, table) in store.all.enumerated() {
      tables[index] = try store.environment.read { transaction in
        var cursor = try transaction.cursor(table)
        var entries: [[UInt8]: [UInt8]] = [:]
        while let (key, value) = try cursor.next() { entries[Array(key)] = Array(value) }
        return entries
      }
    }
  }

  mutating func apply(_ changes: [Change]) {
    for change in changes { tables[change.table][change.key] = change.value }
  }

  /// What of it the store does not hold: keys whose values are missing, wrong, or cannot be read.
  func missing(in store: BusyStore) throws -> Set<String> {
    var missing: Set<String> = []
    for (index, table) in store.all.enumerated() {
      try store.environment.read { transaction in
        for (key, value) in tables[index] {
          let found = try? key.withUnsafeBytes { try transaction.get(table, $0).map(Array.init) }
          if found != value { missing.insert("\(table.name)/\(key)") }
        }
      }
    }
    return missing
  }

  /// Changes like those of an application: new values at the end, new versions, removals.
  static func changes(_ random: inout SeededGenerator, _ count: Int, among messages: Int) -> [Change] {
    (0..<count).map { _ in
      let number = Int.random(in: 0..<messages, using: &random)
      let node = Array(withUnsafeBytes(of: UInt64(number / 16).bigEndian, Array.init))
      let fresh = Int.random(in: 0..<1 << 40, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return Change(table: 0, key: BusyStore.key(number), value: nil)
      case 1: return Change(table: 1, key: node, value: nil)
      case 2: return Change(table: 2, key: Array("object \(number / 7 * 7)".utf8), value: nil)
      case 3, 4: return Change(table: 1, key: node, value: BusyStore.value(fresh, count: 4080))
      case 5:
        return Change(
          table: 2, key: Array("object \(number)".utf8), value: BusyStore.value(fresh, count: fresh % 9000))
      default:
        return Change(
          table: 0, key: BusyStore.key(number), value: BusyStore.value(fresh, count: 60 + fresh % 190))
      }
    }
  }
}

extension BusyStore {
  /// Makes the changes in one write.
  func make(_ changes: [StoreModel.Change]) throws {
    try environment.write { transaction in
      for change in changes {
        if let value = change.value {
          try transaction.put(all[change.table], change.key, value)
        } else {
          _ = try change.key.withUnsafeBytes { try transaction.delete(all[change.table], $0) }
        }
      }
    }
  }
}
