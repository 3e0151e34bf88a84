extension TreeUpdate {
  /// Frees every node of the tree.
  mutating func removeAll() throws(IndexError) {
    if record.height > 0 {
      try removeAll(record.root, level: record.height - 1, count: record.count)
    }
    record = DirectoryEntry(id: tree.id, kind: NodeKind.numeric)
  }

  private mutating func removeAll(_ number: UInt64, level: Int, count: UInt64) throws(IndexError) {
    if level > 0 {
      for child in try children(of: number, level: level, count: count) {
        try removeAll(child.number, level: level - 1, count: child.count)
      }
    }
    try free(number, level: level)
  }
}
