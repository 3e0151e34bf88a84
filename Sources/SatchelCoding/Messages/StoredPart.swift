package import SatchelModel

/// A part as its message's record holds it.
package struct StoredPart: Sendable, Hashable {
  /// The kind of the content.
  package enum Kind: UInt8, Sendable, Hashable {
    case text = 0
    case data = 1
    case url = 2
  }

  /// The content, or where it is kept.
  package enum Content: Sendable, Hashable {
    /// In the record.
    case inline([UInt8])
    /// In the database `bodies`, divided by `BodyLayout`; `digest` is the wrapping sum of its pieces' checksums.
    case stored(length: UInt64, digest: UInt64)

    /// The size of the content in bytes, wherever it is kept.
    package var length: UInt64 {
      switch self {
      case .inline(let bytes): UInt64(bytes.count)
      case .stored(let length, _): length
      }
    }

    /// The length and the digest of what is in `bodies`; 0 if nothing is.
    package var stored: (length: UInt64, digest: UInt64) {
      if case .stored(let length, let digest) = self { (length, digest) } else { (0, 0) }
    }
  }

  /// The interned MIME type.
  package var mimeType: UInt32
  package var kind: Kind
  /// The size of the part as a query sees it; nil for a link without a declared size.
  package var size: Int64?
  package var transferStatus: TransferStatus
  package var content: Content

  package init(
    mimeType: UInt32, kind: Kind, size: Int64?, transferStatus: TransferStatus = .complete,
    content: Content
  ) {
    self.mimeType = mimeType
    self.kind = kind
    self.size = size
    self.transferStatus = transferStatus
    self.content = content
  }
}

/// A recipient of a message, and how far the message has been delivered to that user.
package struct RecipientFields: Sendable, Hashable {
  /// The interned user id.
  package var user: UInt32
  package var status: RecipientStatus

  package init(user: UInt32, status: RecipientStatus) {
    self.user = user
    self.status = status
  }
}
