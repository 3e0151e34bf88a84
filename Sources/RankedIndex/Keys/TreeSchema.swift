/// What a numeric tree holds. The id is stored in every node; the name only appears in messages.
package struct TreeSchema: Sendable, Hashable {
  /// The tree's number in its file, never used for another tree.
  package let id: UInt16
  package let name: String
  /// How many leading words order the rows and are unique together; at least 1.
  package let keyColumns: Int
  /// How many words follow that only come along.
  package let payloadColumns: Int

  /// All words of a row; at most 8.
  @inlinable package var columns: Int { keyColumns + payloadColumns }

  package init(id: UInt16, name: String, keyColumns: Int, payloadColumns: Int = 0) {
    precondition(keyColumns >= 1 && payloadColumns >= 0 && keyColumns + payloadColumns <= Words.count)
    self.id = id
    self.name = name
    self.keyColumns = keyColumns
    self.payloadColumns = payloadColumns
  }
}
