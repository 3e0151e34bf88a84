import SatchelBytes
internal import StoreFiles

extension Forest {
  /// Checks what is stored beside the nodes of the trees: that the directory is of commit `commit` and has no unknown
  /// trees, that every number in the databases has been given out, and that every continuation is undamaged and
  /// belongs to a known tree.
  ///
  /// Whether each node and continuation is referred to is checked with the trees.
  /// - Parameter trees: The ids of the known trees of numbers and of texts.
  /// - Complexity: O(nodes + continuations).
  package func verifyDirectory(
    commit: UInt64, numeric: Set<UInt16>, text: Set<UInt16>, report: (IndexError) -> Void
  ) throws(IndexError) {
    if isWriting { try flush() }
    func fault(_ tree: UInt16, _ node: UInt64, _ what: String) {
      report(.corrupt(tree: tree, node: node, what: what))
    }
    if directory.sequence != commit {
      fault(0, 0, "the directory is of commit \(directory.sequence), and the seal of \(commit)")
    }
    for record in directory.trees {
      let known = record.kind == NodeKind.numeric ? numeric : record.kind == NodeKind.text ? text : []
      if !known.contains(record.id) {
        fault(record.id, record.root, "the directory has a tree of kind \(record.kind) that no index is")
      }
    }
    do throws(LMDBError) {
      try verifyGivenNumbers(fault)
      try verifyContinuations(of: text, fault)
    } catch {
      throw .lmdb(error)
    }
  }

  /// Checks that no stored node has a number that will be given to a new node, which would overwrite the stored one.
  private func verifyGivenNumbers(
    _ fault: (UInt16, UInt64, String) -> Void
  ) throws(LMDBError) {
    var cursor = try store.transaction.cursor(store.database)
    while let entry = unsafe try cursor.next() {
      guard unsafe entry.key.count == 8 else {
        fault(0, 0, unsafe "a node has a key of \(entry.key.count) bytes")
        continue
      }
      let number = unsafe entry.key.bytes.be64(0)
      let next = number < NodeStore.firstLeaf ? store.nextInner : store.nextLeaf
      if number == 0 || number >= next {
        fault(0, number, "the node's number has not been given yet: the directory's next one is \(next)")
      }
    }
  }

  private func verifyContinuations(
    of trees: Set<UInt16>, _ fault: (UInt16, UInt64, String) -> Void
  ) throws(LMDBError) {
    var cursor = try store.transaction.cursor(overflow)
    while let entry = unsafe try cursor.next() {
      guard unsafe entry.key.count == 8 else {
        fault(0, 0, unsafe "a continuation has a key of \(entry.key.count) bytes")
        continue
      }
      let number = unsafe entry.key.bytes.be64(0)
      if number == 0 || number >= store.nextContinuation {
        fault(
          0, number,
          "the continuation's number has not been given yet: the directory's next one is \(store.nextContinuation)"
        )
      }
      guard let tree = unsafe TextContinuation.tree(of: entry.value), trees.contains(tree),
        unsafe TextContinuation.decode(entry.value, number: number, tree: tree) != nil
      else {
        fault(0, number, "the continuation is damaged, or of no index")
        continue
      }
    }
  }
}
