/// One content of a message: a text, bytes, or a link to a content kept elsewhere.
public struct MessagePart: Identifiable, Hashable, Sendable {
  /// A part's identifier: `MESSAGE/parts/INDEX`.
  public typealias ID = ObjectID<MessagePart>

  /// What a part holds.
  public enum Content: Hashable, Sendable {
    /// A text, as it came.
    case text(String)
    /// Bytes.
    case data([UInt8])
    /// Where the content is kept.
    case url(String)
    /// A text of more than ``MessagePart/inlineBytes`` bytes behind the message's first text: read it with
    /// `content(of:)`.
    case storedText
    /// Bytes, more than ``MessagePart/inlineBytes``: read them with `content(of:)`.
    case storedData
  }

  /// The size up to which every content comes with its message. A message's first text comes whatever its size.
  public static let inlineBytes = 2048

  /// The identifier of the message or announcement that the part belongs to.
  public let message: Message.ID
  /// The place among the message's parts, from 0.
  public let index: Int
  /// The MIME type, as it came.
  public let mimeType: String
  /// What the part holds.
  public let content: Content
  /// The size of the content in bytes: the UTF-8 bytes of a text, the bytes of data, the declared size behind a link.
  public let size: Int64?

  /// The identifier.
  public var id: ID { ID(message.rawValue + "/parts/" + String(index)) }

  package init(message: Message.ID, index: Int, mimeType: String, content: Content, size: Int64?) {
    self.message = message
    self.index = index
    self.mimeType = mimeType
    self.content = content
    self.size = size
  }
}

extension MessagePart {
  /// A part that is to be sent or received.
  public struct Draft: Hashable, Sendable {
    /// The MIME type.
    public let mimeType: String
    /// A text, data or a link; never a stored content.
    public let content: Content
    /// The size behind a link, where it is known.
    public let declaredSize: Int64?

    /// A text.
    public static func text(_ text: String, mimeType: String = "text/plain") -> Draft {
      Draft(mimeType: mimeType, content: .text(text), declaredSize: nil)
    }

    /// Bytes of a type.
    public static func data(_ bytes: [UInt8], mimeType: String) -> Draft {
      Draft(mimeType: mimeType, content: .data(bytes), declaredSize: nil)
    }

    /// A link to a content kept elsewhere.
    public static func url(_ url: String, mimeType: String, size: Int64? = nil) -> Draft {
      Draft(mimeType: mimeType, content: .url(url), declaredSize: size)
    }

    package var size: Int64? {
      switch content {
      case .text(let text): Int64(text.utf8.count)
      case .data(let bytes): Int64(bytes.count)
      case .url, .storedText, .storedData: declaredSize
      }
    }
  }
}
