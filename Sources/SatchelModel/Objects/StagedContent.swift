/// A content of a message that was begun before it is written: it is in the store already, or it was too short for that and comes with
/// the message. Either way it can only become the part of that message for which it was given.
package struct StagedContent: Hashable, Sendable {
  /// The number under which it was staged.
  package let importNumber: UInt32
  /// The row of the conversation, and the creation sequence, that the message will have.
  package let conversation: UInt32
  package let sequence: UInt64
  /// The index of the part among the message's.
  package let part: Int
  /// In bytes; 0 for what is not in the store.
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
