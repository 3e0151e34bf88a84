package import LMDB

/// Why an operation on the trees of a file failed.
package enum IndexError: Error, Sendable, Equatable {
  /// The file does not hold what it should: the tree, the node (0: the directory), and what is wrong with it.
  case corrupt(tree: UInt16, node: UInt64, what: String)
  /// An insert of a key that is present, or a remove or replace of one that is not: the caller's records and the
  /// tree have come apart.
  case outOfStep(tree: UInt16, key: [UInt64], what: String)
  /// More entries or nodes than the format can count.
  case overflow(tree: UInt16)
  /// A cursor was moved after its tree had changed.
  case cursorExpired(tree: UInt16)
  /// A change was asked of trees that were opened for reading, or a bulk build of a tree that is not empty.
  case misuse(tree: UInt16, what: String)
  case lmdb(LMDBError)
}
