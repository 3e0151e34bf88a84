package import RankedKeys

extension Forest {
  /// Returns the number of nodes on the path from a tree's root to a leaf, including both; 0 for an empty tree. O(1).
  package func height(_ tree: TreeSchema) throws(IndexError) -> Int {
    Int(try current(tree.id, kind: NodeKind.numeric).height)
  }
}
