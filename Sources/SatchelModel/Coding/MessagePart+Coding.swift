#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension MessagePart: Codable {
  /// Decodes a part that stands alone: its `message` and its `index` have to be there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodedKey.self)
    let index = try container.decode(Int.self, forKey: .index)
    guard index >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .index, in: container, debugDescription: "An index is 0 or more")
    }
    try self.init(
      from: container, message: try container.decode(Message.ID.self, forKey: .message), index: index)
  }

  /// Encodes the part with its `identifier`, its `message` and its `index`, which it has not among the `parts` of its
  /// message.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodedKey.self)
    try container.encode(id, forKey: .identifier)
    try container.encode(message, forKey: .message)
    try container.encode(index, forKey: .index)
    try encodeContent(into: &container)
  }

  /// The value of `stored`, in place of a content that did not come with its message.
  private enum StoredContent: String, Codable { case text, data }

  init(from container: KeyedDecodingContainer<CodedKey>, message: Message.ID, index: Int) throws {
    let text = try container.decodeIfPresent(String.self, forKey: .text).map { Content.text($0) }
    let data = try container.decodeIfPresent(String.self, forKey: .base64).map { base64 -> Content in
      guard let data = Data(base64Encoded: base64) else {
        throw DecodingError.dataCorruptedError(
          forKey: .base64, in: container, debugDescription: "Not Base64 with padding and without white space")
      }
      return .data([UInt8](data))
    }
    let link = try container.decodeIfPresent(String.self, forKey: .url).map { Content.url($0) }
    let stored = try container.decodeIfPresent(StoredContent.self, forKey: .stored).map {
      $0 == .text ? Content.storedText : .storedData
    }
    let contents = [text, data, link, stored].compactMap { $0 }
    guard contents.count == 1, let content = contents.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "A part has exactly one of text, base64, url and stored"))
    }
    let size = try container.decodeIfPresent(Int64.self, forKey: .size)
    guard size ?? 0 >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .size, in: container, debugDescription: "A size is 0 or more")
    }
    let actualSize: Int64? =
      switch content {
      case .text(let text): Int64(text.utf8.count)
      case .data(let bytes): Int64(bytes.count)
      case .url, .storedText, .storedData: size
      }
    self.init(
      message: message, index: index, mimeType: try container.decode(String.self, forKey: .mimeType),
      content: content, size: actualSize,
      transferStatus: try container.decodeIfPresent(TransferStatus.self, forKey: .transferStatus) ?? .complete
    )
  }

  func encodeContent(into container: inout KeyedEncodingContainer<CodedKey>) throws {
    try container.encode(mimeType, forKey: .mimeType)
    switch content {
    case .text(let text): try container.encode(text, forKey: .text)
    case .data(let bytes): try container.encode(Data(bytes).base64EncodedString(), forKey: .base64)
    case .url(let link):
      try container.encode(link, forKey: .url)
      try container.encodeIfPresent(size, forKey: .size)
    case .storedText, .storedData:
      try container.encode(content == .storedText ? StoredContent.text : .data, forKey: .stored)
      try container.encodeIfPresent(size, forKey: .size)
    }
    try container.encode(transferStatus, unless: .complete, forKey: .transferStatus)
  }
}
