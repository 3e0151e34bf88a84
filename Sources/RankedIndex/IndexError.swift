package import StoreFiles

/// The reason why an operation on the trees of a file failed.
package enum IndexError: Error, Sendable, Equatable {
  /// The file does not hold what it should: the tree, the node (0 is the directory), and what is wrong.
  case corrupt(tree: UInt16, node: UInt64, what: String)
  /// An insert of a key that is present, or a removal or replacement of a key that is absent: the caller's records
  /// and the tree disagree.
  case outOfStep(tree: UInt16, key: [UInt64], what: String)
  /// The format cannot count so many entries or nodes.
  case overflow(tree: UInt16)
  /// A cursor was moved after its tree had changed.
  case cursorExpired(tree: UInt16)
  /// A change of trees that were opened for reading, or a bulk build of a tree that is not empty.
  case misuse(tree: UInt16, what: String)
  case lmdb(LMDBError)
}
