internal import SatchelBytes
package import SatchelModel

/// Reads the recipients of a message's record one by one.
struct RecipientCursor {
  private var reader: ByteReader
  private let end: Int
  private var user: UInt64 = 0
  private var isFirst = true

  init(_ range: Range<Int>) {
    reader = ByteReader(offset: range.lowerBound)
    end = range.upperBound
  }

  /// Returns the next recipient; nil after the last one.
  mutating func next(_ span: RawSpan) throws(ByteError) -> RecipientFields? {
    let start = reader.offset
    guard start < end else { return nil }
    let value = try reader.varint(span)
    let (sum, overflow) = user.addingReportingOverflow(value >> 3)
    guard !overflow, reader.offset <= end, isFirst || sum > user, let id = UInt32(exactly: sum),
      let status = RecipientStatus(rawValue: UInt8(value & 7))
    else { throw ByteError(offset: start) }
    isFirst = false
    user = sum
    return RecipientFields(user: id, status: status)
  }

  static func check(_ span: RawSpan, _ range: Range<Int>) throws(ByteError) {
    var cursor = RecipientCursor(range)
    while try cursor.next(span) != nil {}
  }
}

extension MessageView {
  /// True if the record has the status of any recipient.
  package var hasRecipients: Bool { metadataStart > recipientsStart }

  /// Calls `visit` with each recipient, by ascending interned user id.
  package func forEachRecipient(_ visit: (_ user: UInt32, _ status: RecipientStatus) -> Void) {
    var cursor = RecipientCursor(Int(recipientsStart)..<Int(metadataStart))
    let span = unsafe body.bytes
    while let recipient = (try? cursor.next(span)) ?? nil { visit(recipient.user, recipient.status) }
  }

  /// Returns how far the message has been delivered to a user; nil if the record has no status of that user.
  package func recipientStatus(of user: UInt32) -> RecipientStatus? {
    var cursor = RecipientCursor(Int(recipientsStart)..<Int(metadataStart))
    let span = unsafe body.bytes
    while let recipient = (try? cursor.next(span)) ?? nil, recipient.user <= user {
      if recipient.user == user { return recipient.status }
    }
    return nil
  }
}
