internal import RecordStore
internal import SatchelBytes
package import SatchelCoding
internal import SatchelModel

extension Snapshot {
  /// Returns the whole text of a part.
  package func text(of part: PartView, index: Int, _ view: MessageView) throws -> String {
    let text: String?
    if part.isStored {
      text = String(validating: try content(of: part, index: index, in: view.key), as: UTF8.self)
    } else {
      text = unsafe String(utf8: part.inlineBytes)
    }
    guard let text else { throw fault(of: view.key, "the text of part \(index) is not UTF-8") }
    return text
  }

  /// Calls `body` with the preview of a part that is a text: UTF-8 bytes, which are valid only during the call.
  ///
  /// Of a text outside the record it reads, and checks, the first piece alone, which has more bytes than a preview.
  @safe package func withPreview(
    of part: PartView, index: Int, _ view: MessageView, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard part.length > 0 else { return unsafe try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    let needed = UInt64(TextPreview.neededBytes)
    try forEachPiece(of: part, index: index, in: view.key, range: 0..<needed) { piece in
      let preview = unsafe UnsafeRawBufferPointer(rebasing: piece[..<TextPreview.count(of: piece)])
      guard unsafe preview.isUTF8 else {
        throw fault(of: view.key, "the text of part \(index) is not UTF-8")
      }
      if part.isStored { metrics.bodyBytesRead &+= piece.count }
      unsafe try body(preview)
    }
  }

  /// Returns the preview of a part that is a text.
  package func preview(of part: PartView, index: Int, _ view: MessageView) throws -> String {
    var preview = ""
    try withPreview(of: part, index: index, view) { preview = unsafe String(checkedUTF8: $0) }
    return preview
  }

  /// Returns the error of a damaged record of a message or announcement.
  func fault(of key: MessageKey, _ finding: String) -> RecordError {
    key.isAnnouncement
      ? RecordError("announcements", "\(key.sequence)", finding)
      : RecordError("messages", "\(key.conversation)/\(key.sequence)", finding)
  }
}
