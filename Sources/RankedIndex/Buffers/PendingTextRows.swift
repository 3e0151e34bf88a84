internal import RankedKeys

/// The changes of one string tree in a writing forest, and the runs that are read with the tree: what `PendingRows` is
/// for a numeric tree.
final class PendingTextRows {
  let tree: TextTreeSchema
  /// Unchecked because every change is appended here; no access lasts while other code runs.
  @safe @exclusivity(unchecked) private var changes: TextChanges
  /// The number of changes that the runs have.
  @safe @exclusivity(unchecked) private var settledCount = 0
  /// What was pending before the forest's own changes, with the changes that have been read.
  @safe @exclusivity(unchecked) private var runs: Runs<TextTreeSchema>?

  /// - Parameter earlier: What is pending for the tree already, from commits before.
  init(_ tree: TextTreeSchema, over earlier: Runs<TextTreeSchema>?) {
    self.tree = tree
    changes = TextChanges(tree)
    runs = earlier
  }

  /// The number of the forest's changes, of which several may have one key.
  var count: Int { changes.count }

  /// Returns a copy, to which other changes can be added.
  func copy() -> PendingTextRows {
    let copy = PendingTextRows(tree, over: runs)
    copy.changes = changes
    copy.settledCount = settledCount
    return copy
  }

  func append(_ key: TextKey, isInsertion: Bool) { changes.append(key, isInsertion: isInsertion) }

  /// What is pending without the changes that nobody has read yet; nil if there is nothing.
  var known: Runs<TextTreeSchema>? { runs.flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns all that is pending as runs; nil if it comes to nothing. O(1) if nothing has changed since the last call.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  func settled() throws(IndexError) -> Runs<TextTreeSchema>? {
    if settledCount < changes.count {
      runs = try (runs ?? Runs(tree)).adding(changes.suffix(from: settledCount))
      settledCount = changes.count
    }
    return known
  }

  /// Returns the forest's changes, at most one a key, sorted by key. They say what changes after what was pending
  /// before.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  func folded() throws(IndexError) -> [TextChange] {
    var folded = changes.textChanges
    if let wrong = TextChange.settle(&folded) {
      throw .outOfStep(
        tree: tree.id, key: wrong.words,
        what: wrong.kind.needsEntry ? "a text is removed twice" : "a text is inserted twice")
    }
    return folded
  }

  /// Returns all that is pending, one change a text, sorted, and forgets it: the tree is about to have it.
  func take() throws(IndexError) -> [TextChange] {
    // As long as nobody has read the tree, the changes need no runs.
    let sorted = runs == nil ? try folded() : try settled()?.textChanges ?? []
    changes = TextChanges(tree)
    runs = nil
    return sorted
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
