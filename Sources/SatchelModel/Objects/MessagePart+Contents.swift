#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension MessagePart {
  /// The text, if the part is one and came with its message; nil otherwise, and for what `text(of:)` has to read.
  public var text: String? { if case .text(let text) = content { text } else { nil } }

  /// The bytes as `Data`, if the part is data and came with its message; nil otherwise, and for what `data(of:)` has to
  /// read.
  /// - Complexity: O(bytes): in a loop, keep them in a variable.
  public var data: Data? { if case .data(let bytes) = content { Data(bytes) } else { nil } }
}

extension MessagePart.Draft {
  /// Makes data of a MIME type.
  public static func data(
    _ data: Data, mimeType: String, transferStatus: TransferStatus = .complete
  ) -> MessagePart.Draft {
    .data([UInt8](data), mimeType: mimeType, transferStatus: transferStatus)
  }
}
