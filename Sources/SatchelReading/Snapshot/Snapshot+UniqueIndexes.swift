internal import RankedIndex
package import RankedKeys
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel

/// An entry that a write has given an object, and that nobody else may have.
package struct IndexClaim: Sendable {
  package let key: TextKey
  package let object: ObjectRow

  package init(_ key: TextKey, of object: ObjectRow) {
    self.key = key
    self.object = object
  }
}

/// Whether objects share what a unique index allows once.
extension Snapshot {
  /// Checks what a write has claimed, as far as the indexes are still kept and the objects still have it.
  /// - Throws: ``SatchelError`` `valueExists` for the first one that another object has.
  /// - Complexity: O(log n) for each.
  package func check(_ claims: [IndexClaim]) throws {
    let records = try declaredIndexes().filter { $0.entry.state.isKept }
    for claim in claims {
      guard let record = records.first(where: { DeclaredKey.group(of: $0.id) == claim.key.group }),
        let other = try object(sharing: claim.key, of: IndexedKind(claim.object))
      else { continue }
      throw record.conflict(of: try doubles(other, claim.object))
    }
  }

  /// Checks an index that is about to be built, if there are less objects of its kind than a number.
  /// - Throws: ``SatchelError`` `valueExists` with pairs of objects that it does not allow.
  package func check(
    _ definition: DeclaredIndexEntry.Definition, atMost most: Int, by evaluator: any AggregateEvaluator
  ) throws {
    guard definition.isUnique else { return }
    let step = try declaredIndexStep(of: IndexedKind(of: definition, in: self), from: 0, atMost: most)
    guard step.next == nil else { return }
    let doubles = try doubles(in: step, evaluator.entries(of: definition, in: self))
    guard doubles.isEmpty else { throw definition.refusal(because: doubles) }
  }

  /// Returns the other object that has an entry with the text of an object's entry; nil if only one of the two has one.
  /// - Complexity: O(log n).
  package func object(sharing key: TextKey, of kind: IndexedKind) throws -> ObjectRow? {
    var cursor = try forest.cursor(IndexCatalog.declaredEntries.tree)
    try cursor.seek(to: .before(group: key.group, text: key.text))
    var (isThere, other) = (false, nil as UInt64?)
    while !isThere || other == nil, try cursor.next() != nil, let found = try cursor.key(),
      found.group == key.group, found.text == key.text
    {
      if found.row == key.row { isThere = true } else { other = other ?? found.row }
    }
    guard isThere, let other else { return nil }
    return try declaredIndexObject(of: kind, numbered: other)
  }

  /// Returns pairs of objects that a unique index does not allow, of the objects of a step: each with the first that has its text.
  private func doubles(
    in step: DeclaredIndexStep, _ entries: any IndexEntries
  ) throws -> [DeclaredIndexEntry.Doubles] {
    var owners: [[UInt8]: ObjectRow] = [:]
    var found: [DeclaredIndexEntry.Doubles] = []
    for object in step.objects {
      for text in try entries.claims(of: object) {
        guard let owner = owners[text] else {
          owners[text] = object
          continue
        }
        found.append(try doubles(owner, object))
        if found.count == DeclaredIndexEntry.maximumDoubles { return found }
      }
    }
    return found
  }

  /// Returns what the build of an index has found, and what it finds among objects that have just got their entries: pairs of which the second one
  /// has a claim that the first one had before.
  package func doubles(
    of record: DeclaredIndexRecord, from first: UInt64, before end: UInt64,
    by evaluator: any AggregateEvaluator
  ) throws -> [DeclaredIndexEntry.Doubles] {
    var found = record.entry.doubles
    guard record.definition.isUnique else { return found }
    let entries = try evaluator.entries(of: record.definition, in: self)
    var next: UInt64? = first
    while let first = next, first < end {
      let step = try declaredIndexStep(of: record.kind, from: first, atMost: 1000)
      next = step.next
      for object in step.objects where object.number < end {
        for text in try entries.claims(of: object) where found.count < DeclaredIndexEntry.maximumDoubles {
          let key = TextKey(declared: record.id, text, object)
          guard let other = try self.object(sharing: key, of: IndexedKind(object)),
            other.number < object.number
          else {
            continue
          }
          found.append(try doubles(other, object))
        }
      }
    }
    return found
  }

  /// Names two objects.
  package func doubles(_ first: ObjectRow, _ second: ObjectRow) throws -> DeclaredIndexEntry.Doubles {
    DeclaredIndexEntry.Doubles(
      first: Array(try identifier(of: first).utf8), second: Array(try identifier(of: second).utf8))
  }

  /// Returns the identifier of an existing object.
  package func identifier(of object: ObjectRow) throws -> String {
    switch object {
    case .message(let key): try identifier(of: existingMessage(key))
    case .conversation(let row): try conversationIdentifier(row)
    case .identity(let row): try userText(identity(row).user)
    case .record(let key): try identifier(of: record(key))
    }
  }
}

extension DeclaredIndexRecord {
  /// The error that the name is already declared for a different definition.
  package var conflict: SatchelError {
    SatchelError(
      .indexDiffers, "An index of that name is declared otherwise: take another name, or replace it",
      [
        "index": name, "declaredKind": definition.nameOfKind,
        "declaredPredicate": String(decoding: definition.predicate, as: UTF8.self),
        "declaredColumns": definition.spelledColumns, "declaredUnique": definition.isUnique ? "true" : nil,
      ].compactMapValues { $0 })
  }

  /// The error that an object has values that another one has.
  package func conflict(of pair: DeclaredIndexEntry.Doubles) -> SatchelError {
    SatchelError(
      .valueExists,
      "Another object has the same values in the columns of a unique index: change one of the two, or drop the index",
      [
        "index": name, "kind": definition.nameOfKind, "columns": definition.spelledColumns,
        "object": String(decoding: pair.second, as: UTF8.self),
        "other": String(decoding: pair.first, as: UTF8.self),
      ])
  }
}

extension DeclaredIndexEntry.Definition {
  /// The kind of its objects as it is printed: of records, the name of their type.
  package var nameOfKind: String { recordType.map { String(decoding: $0, as: UTF8.self) } ?? "\(kind)" }

  /// The columns as they are printed, joined by commas.
  package var spelledColumns: String { columns.map(\.spelled).joined(separator: ", ") }

  /// The error that a unique index cannot be built, because of these pairs.
  package func refusal(because doubles: [DeclaredIndexEntry.Doubles]) -> SatchelError {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    return SatchelError(
      .valueExists,
      "Objects have the same values in the columns of a unique index, which is not built: change them, and declare it again",
      [
        "index": text(name), "columns": spelledColumns,
        "doubles": doubles.map { "\(text($0.first)) = \(text($0.second))" }.joined(separator: ", "),
      ])
  }
}
