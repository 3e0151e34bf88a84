extension Forest {
  /// The nodes on the way from a tree's root to a leaf, both counted; 0 for an empty tree. O(1).
  package func height(_ tree: TreeSchema) throws(IndexError) -> Int {
    Int(try current(tree.id, kind: NodeKind.numeric).height)
  }
}
