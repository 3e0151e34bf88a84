package import RankedIndex

/// Changes of indexes, collected for one or several objects before they go to the trees.
package struct IndexChanges: Sendable {
  package enum Kind: Sendable, Hashable { case remove, insert, replace }

  /// A row that comes, goes, or (with the same key) gets another payload.
  package struct Numeric: Sendable, Hashable {
    package let schema: TreeSchema
    package let kind: Kind
    package let row: Words
  }

  /// A text that comes or goes.
  package struct Text: Sendable, Hashable {
    package let schema: TextTreeSchema
    package let isInsertion: Bool
    package let key: TextKey
  }

  package var numeric: [Numeric] = []
  package var text: [Text] = []

  package init() {}

  package var isEmpty: Bool { numeric.isEmpty && text.isEmpty }

  /// Adds an entry of a text.
  package mutating func insert(_ schema: TextTreeSchema, _ key: TextKey) {
    text.append(Text(schema: schema, isInsertion: true, key: key))
  }

  /// Forgets everything and keeps the memory.
  package mutating func removeAll() {
    numeric.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
  }

  /// From the row that an object had in a tree, if it had one, to the row that it has.
  mutating func change(_ schema: TreeSchema, _ old: Words?, _ new: Words?) {
    switch (old, new) {
    case (nil, nil): break
    case (nil, let new?): numeric.append(Numeric(schema: schema, kind: .insert, row: new))
    case (let old?, nil): numeric.append(Numeric(schema: schema, kind: .remove, row: old))
    case (let old?, let new?):
      if old.compare(new, columns: schema.keyColumns) != 0 {
        numeric.append(Numeric(schema: schema, kind: .remove, row: old))
        numeric.append(Numeric(schema: schema, kind: .insert, row: new))
      } else if old.compare(new, columns: schema.columns) != 0 {
        numeric.append(Numeric(schema: schema, kind: .replace, row: new))
      }
    }
  }

  /// From the rows that an object had in a tree to those that it has, for a tree with any number of rows an object.
  mutating func change(_ schema: TreeSchema, _ old: [Words], _ new: [Words]) {
    guard old != new else { return }
    if old.isEmpty, new.count == 1 {
      numeric.append(Numeric(schema: schema, kind: .insert, row: new[0]))
      return
    }
    let before = Set(old)
    let after = Set(new)
    for row in old where !after.contains(row) {
      numeric.append(Numeric(schema: schema, kind: .remove, row: row))
    }
    for row in new where !before.contains(row) {
      numeric.append(Numeric(schema: schema, kind: .insert, row: row))
    }
  }

  /// From the texts that an object had in a tree to those that it has.
  mutating func change(_ schema: TextTreeSchema, _ old: [TextKey], _ new: [TextKey]) {
    guard old != new else { return }
    let before = Set(old)
    let after = Set(new)
    for key in old where !after.contains(key) {
      text.append(Text(schema: schema, isInsertion: false, key: key))
    }
    for key in new where !before.contains(key) {
      text.append(Text(schema: schema, isInsertion: true, key: key))
    }
  }
}
