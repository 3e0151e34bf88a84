package import RankedKeys
import SatchelBytes

/// Which entries of a merged tree the tree itself does not have in this form.
extension Forest {
  /// Whether an entry that a cursor has given comes from the pending rows. O(log(pending rows)).
  package func isPending(_ tree: TreeSchema, _ row: Words) throws(IndexError) -> Bool {
    guard let runs = try pendingRuns(tree) else { return false }
    defer { withExtendedLifetime(runs) {} }
    for rows in [runs.small.rows, runs.large.rows] {
      let index = rows.position(of: .before(row, columns: tree.keyColumns))
      if index < rows.count, rows.hasKey(index, row) { return true }
    }
    return false
  }

  /// Whether an entry that a cursor has given comes from the pending texts. O(log(pending texts)).
  package func isPending(_ tree: TextTreeSchema, _ key: TextKey) throws(IndexError) -> Bool {
    guard let runs = try pendingTexts(tree) else { return false }
    defer { withExtendedLifetime(runs) {} }
    let bytes = TextChange(key, isInsertion: true).bytes
    for rows in [runs.small.rows, runs.large.rows] {
      let index = unsafe rows.position(of: bytes.span.bytes, key.row, in: 0..<rows.count)
      if index < rows.count, unsafe rows.compare(index, bytes.span.bytes, key.row) == 0 { return true }
    }
    return false
  }
}
