package import RankedKeys

/// Changes of indexes, collected for one or more objects before they are applied to the trees.
package struct IndexChanges: Sendable {
  package enum Kind: Sendable, Hashable { case remove, insert, replace }

  /// A row to insert or to remove, or a new payload for a row with the same key.
  package struct Numeric: Sendable, Hashable {
    package let schema: TreeSchema
    package let kind: Kind
    package let row: Words
  }

  /// A text to insert or to remove.
  package struct Text: Sendable, Hashable {
    package let schema: TextTreeSchema
    package let isInsertion: Bool
    package let key: TextKey
  }

  package var numeric: [Numeric] = []
  package var text: [Text] = []

  package init() {}

  package var isEmpty: Bool { numeric.isEmpty && text.isEmpty }

  /// Adds the insertion of a text.
  package mutating func insert(_ schema: TextTreeSchema, _ key: TextKey) {
    text.append(Text(schema: schema, isInsertion: true, key: key))
  }

  /// Adds the removal of a text.
  package mutating func remove(_ schema: TextTreeSchema, _ key: TextKey) {
    text.append(Text(schema: schema, isInsertion: false, key: key))
  }

  /// Removes all changes and keeps their memory.
  package mutating func removeAll() {
    numeric.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
  }

  /// Adds the change from the row that an object had in a tree to the row that it has now; nil means no row.
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

  /// Adds the change from the rows that an object had in a tree to the rows that it has now. An object may have any
  /// number of rows in such a tree.
  mutating func change(_ schema: TreeSchema, _ old: [Words], _ new: [Words]) {
    guard old != new else { return }
    if old.isEmpty, new.count == 1 {
      numeric.append(Numeric(schema: schema, kind: .insert, row: new[0]))
      return
    }
    if new.isEmpty {
      for row in old { numeric.append(Numeric(schema: schema, kind: .remove, row: row)) }
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

  /// Adds the change from the texts that an object had in a tree to the texts that it has now.
  package mutating func change(_ schema: TextTreeSchema, _ old: [TextKey], _ new: [TextKey]) {
    guard old != new else { return }
    // An object that is new or gone has nothing in common with itself.
    guard !old.isEmpty, !new.isEmpty else {
      // No memory is reserved for them: an array that is made to fit each time is copied each time.
      for key in old { remove(schema, key) }
      for key in new { insert(schema, key) }
      return
    }
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
