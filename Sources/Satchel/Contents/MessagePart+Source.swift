public import SatchelModel
import SatchelText

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension MessagePart {
  /// A part whose content is read while it is stored, piece by piece, so that it need not fit in memory: see
  /// `MessageStore.write(contents:for:_:)`.
  public struct Source: Sendable {
    enum Content: Sendable {
      case draft(Draft)
      /// Makes what returns the next piece; nil after the last one.
      case pulled(@Sendable () throws -> () throws -> [UInt8]?)
      /// Gives the pieces one after the other.
      case pushed(@Sendable (_ take: @Sendable ([UInt8]) async throws -> Void) async throws -> Void)
    }

    /// The MIME type of the part.
    public let mimeType: String
    /// How far the content has got on its way between this device and the service.
    public let transferStatus: TransferStatus
    let content: Content

    private init(_ content: Content, _ mimeType: String, _ transferStatus: TransferStatus) {
      self.content = content
      self.mimeType = mimeType
      self.transferStatus = transferStatus
    }

    /// Makes a source of a part that is in memory.
    public static func draft(_ draft: Draft) -> Source {
      Source(.draft(draft), draft.mimeType, draft.transferStatus)
    }

    /// Makes data of the bytes of a regular file. The write throws `invalidValue` if the URL is not that of a file.
    public static func file(
      _ url: URL, mimeType: String, transferStatus: TransferStatus = .complete
    ) -> Source {
      guard url.isFileURL else {
        let spelled = url.absoluteString
        return Source(
          .pulled {
            throw SatchelError(
              .invalidValue,
              "Only a URL of a file, file:///…, names a file: download what is elsewhere, or give its pieces with chunks(_:mimeType:)",
              ["url": spelled])
          }, mimeType, transferStatus)
      }
      return file(path: url.path, mimeType: mimeType, transferStatus: transferStatus)
    }

    /// Makes data of the bytes of the regular file at a path.
    public static func file(
      path: String, mimeType: String, transferStatus: TransferStatus = .complete
    ) -> Source {
      Source(
        .pulled {
          let file = try ContentFile(path)
          return { try file.next() }
        }, mimeType, transferStatus)
    }

    /// Makes data of a sequence of pieces, each of any size.
    public static func chunks<Chunks: Sequence & Sendable>(
      _ chunks: Chunks, mimeType: String, transferStatus: TransferStatus = .complete
    ) -> Source where Chunks.Element: Sequence<UInt8> {
      Source(
        .pulled {
          var iterator = chunks.makeIterator()
          return { iterator.next().map { [UInt8]($0) } }
        }, mimeType, transferStatus)
    }

    /// Makes data of an asynchronous sequence of pieces, each of any size, such as what arrives from a server. Only the asynchronous form
    /// of `write(contents:for:_:)` reads it. What the sequence throws is passed on.
    public static func chunks<Chunks: AsyncSequence & Sendable>(
      _ chunks: Chunks, mimeType: String, transferStatus: TransferStatus = .complete
    ) -> Source where Chunks.Element: Sequence<UInt8> {
      Source(
        .pushed { take in for try await chunk in chunks { try await take([UInt8](chunk)) } },
        mimeType,
        transferStatus)
    }
  }
}

extension MessagePart.Source: CustomStringConvertible {
  /// Where the content comes from, and the MIME type.
  public var description: String {
    switch content {
    case .draft(let draft): draft.description
    case .pulled: "content of a file or a sequence, \(mimeType.oneLine)"
    case .pushed: "content of an asynchronous sequence, \(mimeType.oneLine)"
    }
  }
}
