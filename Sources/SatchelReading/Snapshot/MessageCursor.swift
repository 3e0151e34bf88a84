internal import LMDB
internal import SatchelCoding
internal import StoreFiles

/// Looks up records of messages one after another. The next record is often a neighbour of the last one.
struct MessageCursor: ~Copyable {
  private var cursor: Cursor
  /// The key at which the cursor is; nil if that is not known.
  private var current: MessageKey?
  /// Neighbours are tried as long as this is not negative.
  private var credit = 0
  private var ahead = PagePrefetch()

  init(_ cursor: consuming Cursor) { self.cursor = cursor }

  /// Returns the bytes of the record of a message in a conversation, or nil.
  mutating func value(_ key: MessageKey) throws(LMDBError) -> UnsafeRawBufferPointer? {
    if let current, current.conversation == key.conversation, current.sequence != key.sequence {
      if credit >= 0 {
        self.current = nil
        let step = unsafe try current.sequence < key.sequence ? cursor.next() : cursor.previous()
        if let (name, value) = unsafe step, unsafe name.isKey(of: key) {
          credit = min(credit + 1, Self.mostCredit)
          if current.sequence < key.sequence { unsafe ahead.willRead(value) }
          self.current = key
          return unsafe value
        }
        credit = credit > 0 ? credit - 2 : -Self.pause
      } else {
        credit += 1
      }
    }
    let bytes = key.bytes
    let value = unsafe try cursor.value(bytes.bigEndianWords, count: bytes.count)
    current = unsafe value == nil ? nil : key
    return unsafe value
  }

  private static let mostCredit = 16
  /// For how many records neighbours are not tried after a series of failures.
  private static let pause = 32
}

extension UnsafeRawBufferPointer {
  /// Whether these are the bytes of the key of a message in a conversation.
  fileprivate func isKey(of message: MessageKey) -> Bool {
    guard count == 12 else { return false }
    let conversation = unsafe UInt32(bigEndian: loadUnaligned(as: UInt32.self))
    let sequence = unsafe UInt64(bigEndian: loadUnaligned(fromByteOffset: 4, as: UInt64.self))
    return conversation == message.conversation && sequence == message.sequence
  }
}
