/// The id, name and columns of a numeric tree. The id is stored in every node; the name appears only in messages.
package struct TreeSchema: Sendable, Hashable {
  /// The tree's number in its file, never used for another tree.
  package let id: UInt16
  package let name: String
  /// The number of leading words that order the rows and are unique together; at least 1.
  package let keyColumns: Int
  /// The number of words after the key that are stored with it but do not affect the order.
  package let payloadColumns: Int

  /// The number of all words of a row; at most 8.
  @inlinable package var columns: Int { keyColumns + payloadColumns }

  @inlinable package init(id: UInt16, name: String, keyColumns: Int, payloadColumns: Int = 0) {
    precondition(keyColumns >= 1 && payloadColumns >= 0 && keyColumns + payloadColumns <= Words.count)
    self.id = id
    self.name = name
    self.keyColumns = keyColumns
    self.payloadColumns = payloadColumns
  }
}
