import Satchel

extension ModelTable {
  /// Changes the screen by a batch, as `performBatchUpdates` does.
  /// - Throws: ``TableInconsistency`` where UIKit would end the program.
  func apply(_ batch: Batch, dataSource: [[Object]]) throws {
    try check(batch, dataSource)
    var rows: [[Object?]] = sections
    for (change, object) in zip(batch.changes, batch.objects) {
      guard let at = change.at else { continue }
      rows[at[0]][at[1]] = change.type == .update ? object : nil
    }
    var result = rows.map { $0.compactMap { $0 } }
    for section in batch.deletedSections.sorted(by: >) {
      try require(result[section].isEmpty, "section \(section) goes with rows that nobody told of")
      result.remove(at: section)
    }
    for section in batch.insertedSections.sorted() { result.insert([], at: section) }
    let incoming = zip(batch.changes, batch.objects).compactMap { change, object in
      change.to.map { (path: $0, object: object) }
    }
    for (path, object) in incoming.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      try require(path[1] <= result[path[0]].count, "a row at \(path), behind the end of its section")
      result[path[0]].insert(object, at: path[1])
    }
    try require(result.map { $0.map(\.id) } == dataSource.map { $0.map(\.id) }, "the rows are others")
    try require(!isDrawnAnew || result == dataSource, "a row shows what it is no more")
    sections = result
  }

  private func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw TableInconsistency(description: problem()) }
  }

  /// The rules of UIKit: indexes exist, none is used twice, the numbers add up.
  private func check(_ batch: Batch, _ dataSource: [[Object]]) throws {
    let sources = batch.changes.compactMap(\.at)
    let targets = batch.changes.compactMap(\.to)
    try require(Set(sources).count == sources.count, "an index path is deleted, moved or reloaded at once")
    try require(Set(targets).count == targets.count, "two rows come to one index path")
    try require(Set(batch.changes.map(\.id)).count == batch.changes.count, "a row has two changes")
    for change in batch.changes {
      let hasShape =
        switch change.type {
        case .insert: change.at == nil && change.to != nil
        case .delete, .update: change.at != nil && change.to == nil
        case .move: change.at != nil && change.to != nil
        }
      try require(hasShape, "\(change) has the index paths of another kind")
    }
    for path in sources {
      try require(
        path.count == 2 && sections.indices.contains(path[0]) && sections[path[0]].indices.contains(path[1]),
        "\(path) is not in the list before")
    }
    for path in targets {
      try require(
        path.count == 2 && dataSource.indices.contains(path[0])
          && dataSource[path[0]].indices.contains(path[1]),
        "\(path) is not in the list after")
    }
    try checkNumbers(batch, dataSource)
  }

  private func checkNumbers(_ batch: Batch, _ dataSource: [[Object]]) throws {
    try require(
      Set(batch.deletedSections).isSubset(of: sections.indices)
        && Set(batch.insertedSections).isSubset(of: dataSource.indices),
      "a section that does not exist comes or goes")
    try require(
      dataSource.count == sections.count + batch.insertedSections.count - batch.deletedSections.count,
      "invalid number of sections: \(dataSource.count) after \(sections.count)")
    let kept = sections.indices.filter { !batch.deletedSections.contains($0) }
    let stayed = dataSource.indices.filter { !batch.insertedSections.contains($0) }
    for (before, after) in zip(kept, stayed) {
      let gone = batch.changes.count { $0.type != .update && $0.at?[0] == before }
      let come = batch.changes.count { $0.to?[0] == after }
      try require(
        dataSource[after].count == sections[before].count - gone + come,
        "invalid number of rows in section \(after): \(dataSource[after].count), before \(sections[before].count), \(come) come, \(gone) gone"
      )
    }
  }
}
