internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelReading

/// Keeps the entries of declared indexes in step with the objects: what each changed object had before the flush goes, and what it has
/// after it comes.
extension Writer {
  /// The declared indexes whose entries are kept.
  /// - Throws: `notAvailable` if there are some and this program cannot evaluate their predicates.
  private func declaredIndexes() throws -> [DeclaredChanges.Index] {
    if let known = declared.indexes { return known }
    var indexes: [DeclaredChanges.Index] = []
    if tables.seal[.declaredIndexes].count > 0 {
      let evaluator = try evaluator()
      for record in try flushed.declaredIndexes() where record.entry.state != .leaving {
        indexes.append(
          DeclaredChanges.Index(
            record: record,
            dependsOnReading: try evaluator.dependsOnReading(record.definition, user: flushed.user)))
      }
    }
    declared.indexes = indexes
    return indexes
  }

  /// Whether any index has, or will have, entries of objects of a kind.
  func hasDeclaredIndexes(of kind: AggregateEntry.Kind) throws -> Bool {
    guard tables.seal[.declaredIndexes].count > 0 else { return false }
    return try declaredIndexes().contains { $0.record.definition.kind == kind }
  }

  /// Notes the entries of an object that is about to change. Its record, and those of what it belongs to, are still as they were.
  /// - Parameters:
  ///   - wasThere: Whether it is in the store, and the store's user can see it.
  ///   - isThere: The same after the change.
  ///   - reads: True if nothing changes but that it is read.
  func noteDeclared(_ object: ObjectRow, wasThere: Bool, isThere: Bool, reads: Bool = false) throws {
    guard tables.seal[.declaredIndexes].count > 0, wasThere || isThere else { return }
    for (place, index) in try declaredIndexes().enumerated()
    where index.record.definition.kind == object.kind && index.record.entry.holds(object.number)
      && (index.dependsOnReading || !reads)
    {
      let before = wasThere ? try declaredTexts(of: object, at: place) : []
      declared.append(DeclaredChanges.Pending(object: object, index: place, before: before, isThere: isThere))
    }
  }

  /// Brings the entries of the noted objects to the state that the tables have now.
  func settleDeclared() throws {
    declared.forgetState()
    guard !declared.isEmpty else { return }
    let tree = IndexCatalog.declaredEntries.tree
    for change in declared.take() {
      let after = change.isThere ? try declaredTexts(of: change.object, at: change.index) : []
      guard let id = declared.indexes?[change.index].record.id, change.before != after else { continue }
      for text in change.before where !after.contains(text) {
        forest.remove(tree, TextKey(declared: id, text, change.object))
      }
      for text in after where !change.before.contains(text) {
        forest.insert(tree, TextKey(declared: id, text, change.object))
      }
    }
    declared.forgetState()
  }

  /// Returns the texts of an object's entries in an index, by its place, in the state that the tables have.
  private func declaredTexts(of object: ObjectRow, at place: Int) throws -> [[UInt8]] {
    guard let index = declared.indexes?[place] else { return [] }
    return try flushed.read { snapshot in
      let entries = try index.entries ?? evaluator().entries(of: index.record.definition, in: snapshot)
      declared.indexes?[place].entries = entries
      return try entries.texts(of: object)
    }
  }
}

extension Writer {
  /// Adds or removes the entries of an existing object that becomes visible or ceases to be, or is about to be deleted: at once, because
  /// nothing else of it changes.
  func moveDeclared(_ object: ObjectRow, in isVisible: Bool) throws {
    guard tables.seal[.declaredIndexes].count > 0 else { return }
    let tree = IndexCatalog.declaredEntries.tree
    for (place, index) in try declaredIndexes().enumerated()
    where index.record.definition.kind == object.kind && index.record.entry.holds(object.number) {
      for text in try declaredTexts(of: object, at: place) {
        let key = TextKey(declared: index.record.id, text, object)
        if isVisible { forest.insert(tree, key) } else { forest.remove(tree, key) }
      }
    }
  }
}
