/// A content that is in the store before the message whose part it is to be.
package struct StagedContent: Hashable, Sendable {
  /// The number under which it was staged.
  package let importNumber: UInt32
  /// The row of the conversation, and the creation sequence, that the message will have.
  package let conversation: UInt32
  package let sequence: UInt64
  /// The index of the part among the message's.
  package let part: Int
  /// In bytes.
  package let length: UInt64
  /// The sum of its pieces' checksums.
  package let digest: UInt64

  package init(
    importNumber: UInt32, conversation: UInt32, sequence: UInt64, part: Int, length: UInt64, digest: UInt64
  ) {
    self.importNumber = importNumber
    self.conversation = conversation
    self.sequence = sequence
    self.part = part
    self.length = length
    self.digest = digest
  }
}
