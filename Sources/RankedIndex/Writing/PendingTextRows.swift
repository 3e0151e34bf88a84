internal import RankedKeys

/// What a writing forest keeps of one string tree beside the tree: what `PendingRows` is for a numeric tree.
final class PendingTextRows {
  let tree: TextTreeSchema
  /// What nobody has read yet. Unchecked because every change is appended here; no access lasts while other code runs.
  @safe @exclusivity(unchecked) private var changes: TextChanges
  @safe @exclusivity(unchecked) private var runs: PendingTexts?

  init(_ tree: TextTreeSchema) {
    self.tree = tree
    changes = TextChanges(tree)
  }

  /// The number of changes, of which several may have one key.
  var count: Int { changes.count + (runs?.count ?? 0) }

  /// Returns a copy, to which other changes can be added.
  func copy() -> PendingTextRows {
    let copy = PendingTextRows(tree)
    copy.changes = changes
    copy.runs = runs
    return copy
  }

  func append(_ key: TextKey, isInsertion: Bool) {
    if isInsertion { changes.insert(key) } else { changes.remove(key) }
  }

  /// The changes that a read has made part of runs; nil if there are none.
  var known: PendingTexts? { runs.flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns all changes as runs; nil if they cancel each other. O(1) if nothing has changed since the last call.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  func settled() throws(IndexError) -> PendingTexts? {
    if changes.count > 0 {
      let added = changes
      changes = TextChanges(tree)
      runs = try (runs ?? PendingTexts(tree)).adding(added)
    }
    return known
  }

  /// Merges the changes into the tree and updates the forest's directory. Called once.
  func apply(to forest: Forest) throws(IndexError) {
    // Nobody has read the tree: the changes need no runs.
    var settled = runs == nil ? changes.textChanges : try settled()?.textChanges ?? []
    changes = TextChanges(tree)
    runs = nil
    if let wrong = TextChange.settle(&settled) {
      throw .outOfStep(
        tree: tree.id, key: wrong.words,
        what: wrong.kind.needsEntry ? "a text is removed twice" : "a text is inserted twice")
    }
    guard !settled.isEmpty else { return }
    let store = try TextTreeStore(
      nodes: forest.store, continuations: forest.overflow,
      root: try forest.directory.record(tree.id, kind: NodeKind.text))
    forest.directory.set(try store.flush(settled))
  }
}

extension TextChanges {
  /// The changes as a flush takes them.
  var textChanges: [TextChange] {
    changes.map { change in
      let text = Array(bytes[(change.bytes.lowerBound + 8)..<change.bytes.upperBound])
      return TextChange(
        TextKey(group: change.group, text: text, row: change.row), isInsertion: change.isInsertion)
    }
  }
}
