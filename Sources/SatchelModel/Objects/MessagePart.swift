/// A part of a message: a text, bytes, or a link to content that is kept elsewhere.
public struct MessagePart: Identifiable, Hashable, Sendable {
  /// The type of a part's identifier, which reads `MESSAGE/parts/INDEX`.
  public typealias ID = ObjectID<MessagePart>

  /// The content of a part.
  public enum Content: Hashable, Sendable {
    /// A text, exactly as it was stored.
    case text(String)
    /// Bytes.
    case data([UInt8])
    /// A link to content that is kept elsewhere.
    case url(String)
    /// A text of more than ``MessagePart/inlineBytes`` bytes that is not the first text of its message: read it with
    /// `text(of:)`.
    case storedText
    /// More than ``MessagePart/inlineBytes`` bytes: read them with `data(of:)`.
    case storedData
  }

  /// The size in bytes up to which every content is read with its message. The first text and all links of a message
  /// are read with it whatever their size. A query `withoutContents()` reads fewer, and a conversation's last message has no
  /// longer text.
  public static let inlineBytes = 65_536

  /// The identifier of the message or announcement that the part belongs to.
  public let message: Message.ID
  /// The index among the parts of the message, from 0.
  public let index: Int
  /// The MIME type, exactly as it was stored.
  public let mimeType: String
  /// The content of the part.
  public let content: Content
  /// The size of the content in bytes: the UTF-8 bytes of a text, the bytes of data, or the declared size of the
  /// content that a link leads to. Nil for a link without a declared size.
  public let size: Int64?
  /// How far the content has got on its way between this device and the service.
  public let transferStatus: TransferStatus
  /// The message, if it comes along.
  package let included: IncludedMessage?

  /// The identifier of the part: `MESSAGE/parts/INDEX`. Made at each access.
  public var id: ID { ID(message.rawValue + "/parts/" + String(index)) }

  package init(
    message: Message.ID, index: Int, mimeType: String, content: Content, size: Int64?,
    transferStatus: TransferStatus, included: IncludedMessage? = nil
  ) {
    self.message = message
    self.index = index
    self.mimeType = mimeType
    self.content = content
    self.size = size
    self.transferStatus = transferStatus
    self.included = included
  }
}

extension MessagePart {
  /// A part of a message that is to be sent or received.
  public struct Draft: Hashable, Sendable {
    /// The MIME type: a type, a slash and a subtype (RFC 9110, 8.3.1), kept with its parameters and its case.
    public let mimeType: String
    /// The content: a text, data or a link. It is `storedData` only for contents that were stored before the write that gets the
    /// part.
    public let content: Content
    /// The size in bytes of the content that a link leads to; nil if unknown, and for other contents.
    public let declaredSize: Int64?
    /// How far the content has got on its way between this device and the service.
    public var transferStatus: TransferStatus
    /// Of which message the content was given, if that was before the write, and where it is; nil for any other.
    package var staged: StagedContent?

    /// Makes a text.
    public static func text(
      _ text: String, mimeType: String = "text/plain", transferStatus: TransferStatus = .complete
    ) -> Draft {
      Draft(
        mimeType: mimeType, content: .text(text), declaredSize: nil, transferStatus: transferStatus)
    }

    /// Makes data of a MIME type.
    public static func data(
      _ bytes: [UInt8], mimeType: String, transferStatus: TransferStatus = .complete
    ) -> Draft {
      Draft(
        mimeType: mimeType, content: .data(bytes), declaredSize: nil, transferStatus: transferStatus)
    }

    /// Makes a link to content that is kept elsewhere.
    /// - Parameters:
    ///   - size: The size of that content in bytes, if it is known; not negative.
    ///   - transferStatus: How far that content has got, such as `readyForDownload`.
    public static func url(
      _ url: String, mimeType: String, size: Int64? = nil, transferStatus: TransferStatus = .complete
    ) -> Draft {
      Draft(
        mimeType: mimeType, content: .url(url), declaredSize: size, transferStatus: transferStatus)
    }

    /// Makes data that was stored before the write that gets the part.
    package static func staged(
      _ content: StagedContent, mimeType: String, transferStatus: TransferStatus
    ) -> Draft {
      Draft(
        mimeType: mimeType, content: .storedData, declaredSize: nil, transferStatus: transferStatus,
        staged: content)
    }

    package var size: Int64? {
      switch content {
      case .text(let text): Int64(text.utf8.count)
      case .data(let bytes): Int64(bytes.count)
      case .storedData: staged.map { Int64(clamping: $0.length) }
      case .url, .storedText: declaredSize
      }
    }
  }
}
