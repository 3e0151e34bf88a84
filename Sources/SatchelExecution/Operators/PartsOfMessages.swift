import SatchelPlanning
import SatchelReading

/// Gives the parts of the messages of an access path, in the order of the messages.
struct PartsOfMessages {
  let messages: RowSource
  /// Whether the last part of a message comes first.
  let descending: Bool

  /// Calls `body` with each part until it returns false.
  func forEach(_ body: (inout RowContext) throws -> Bool) throws {
    try RowFilter(messages).forEach { row in
      let count = try row.message(messages.snapshot).partCount
      for index in 0..<count {
        row.enterPart(descending ? count - 1 - index : index, in: messages.snapshot)
        guard try body(&row) else { return false }
      }
      return true
    }
  }
}
