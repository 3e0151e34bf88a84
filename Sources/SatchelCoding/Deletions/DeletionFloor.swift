/// Up to where the messages of a conversation are deleted for the store's user: a delivery at or below it is none of a new message.
package struct DeletionFloor: Sendable, Hashable {
  /// The greatest position among the messages that were deleted; nil if none had one.
  package var position: Int64?
  /// The latest date of sending among them, in microseconds since 1970; nil if none had one.
  package var sentAt: Int64?

  package init(position: Int64? = nil, sentAt: Int64? = nil) {
    self.position = position
    self.sentAt = sentAt
  }

  /// Raises the floor to a message that is deleted, or to another floor.
  package mutating func rise(toPosition position: Int64?, sentAt: Int64?) {
    if let position { self.position = max(self.position ?? position, position) }
    if let sentAt { self.sentAt = max(self.sentAt ?? sentAt, sentAt) }
  }

  /// Whether a delivery lies at or below the floor: by its position where both have one, otherwise by its date of sending. One that has
  /// neither does: nothing says that it is a new one.
  package func covers(position: Int64?, sentAt: Int64?) -> Bool {
    if let floor = self.position, let position { return position <= floor }
    if let floor = self.sentAt, let sentAt { return sentAt <= floor }
    return position == nil && sentAt == nil
  }
}
