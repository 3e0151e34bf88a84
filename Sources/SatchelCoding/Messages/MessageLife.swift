/// What has happened to a message or an announcement since it was sent, as its record tells it.
///
/// Most messages have none of it, and their records no bytes for it.
package struct MessageLife: Sendable, Hashable {
  /// When its parts were edited last, in microseconds since 1970; nil if they are as they were sent.
  package var editedAt: Int64?
  /// When it was deleted for everyone, in microseconds since 1970; nil if it was not. It has no parts, recipients or metadata
  /// then.
  package var deletedAt: Int64?

  /// When anything of it changed last that users see, in microseconds since 1970; nil if nothing has. Whether it was read or
  /// delivered does not count.
  package var updatedAt: Int64?

  package init(editedAt: Int64? = nil, deletedAt: Int64? = nil, updatedAt: Int64? = nil) {
    self.editedAt = editedAt
    self.deletedAt = deletedAt
    self.updatedAt = updatedAt
  }

  /// The bits of a record's fourth byte: which of the dates follow the fields at fixed offsets, eight bytes each, in the order
  /// of the bits, and whether there is a remote identifier.
  enum Flag {
    static let editedAt: UInt8 = 1
    static let deletedAt: UInt8 = 2
    static let updatedAt: UInt8 = 4
    static let remoteID: UInt8 = 8
    private static let dates: UInt8 = 7
    static let all: UInt8 = 15

    /// The bytes of the dates that are there.
    static func bytes(of flags: UInt8) -> Int { 8 * (flags & dates).nonzeroBitCount }

    /// The version of a record with these flags. What came into the format later is there only where it is needed: a message
    /// to which nothing has happened has the layout that it had before that was kept.
    static func version(of flags: UInt8) -> UInt8 { flags & remoteID != 0 ? 4 : flags == 0 ? 2 : 3 }
  }

  var flags: UInt8 {
    (editedAt == nil ? 0 : Flag.editedAt) | (deletedAt == nil ? 0 : Flag.deletedAt)
      | (updatedAt == nil ? 0 : Flag.updatedAt)
  }
}
