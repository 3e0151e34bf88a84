import SatchelCoding
import SatchelExecution
import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Contents of parts, of any size.
extension StoreSnapshot {
  /// Returns the content of a part as text: the whole of it, or what is at some of its bytes.
  ///
  /// ```swift
  /// let letter = try store.text(of: "m2/parts/0")
  /// ```
  /// - Parameters:
  ///   - part: The part: a text, or a link, whose text is returned.
  ///   - range: The offsets of UTF-8 bytes to return, from 0; nil for all. Offsets after the end are left out, and so is
  ///     a character of which the range has not all bytes.
  /// - Complexity: O(bytes returned).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it; `invalidValue` if it
  ///   is data: read that with ``data(of:in:)``.
  public func text(of part: MessagePart.ID, in range: Range<Int>? = nil) throws -> String {
    let found = try bytes(of: part, in: range)
    guard found.isText else {
      throw SatchelError(
        .invalidValue, "The content of this part is data, not a text: read it with data(of:)",
        ["part": part.rawValue])
    }
    guard range != nil else {
      guard let text = String(validating: found.bytes, as: UTF8.self) else {
        throw SatchelError(.corrupted, "The text of a part is not UTF-8", ["part": part.rawValue])
      }
      return text
    }
    return String(decoding: found.bytes.wholeCharacters, as: UTF8.self)
  }

  /// Returns the content of a part as bytes: the whole of it, or what is at some offsets. That of a text or a link is its
  /// UTF-8 bytes.
  /// - Parameters:
  ///   - part: The part.
  ///   - range: The offsets of the bytes to return, from 0; nil for all. Offsets after the end are left out.
  /// - Complexity: O(bytes returned).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it.
  public func data(of part: MessagePart.ID, in range: Range<Int>? = nil) throws -> Data {
    Data(try bytes(of: part, in: range).bytes)
  }

  /// Returns the whole content of a part as an array of bytes: see ``data(of:in:)``.
  /// - Complexity: O(size of the content).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it.
  public func content(of part: MessagePart.ID) throws -> [UInt8] { try bytes(of: part, in: nil).bytes }

  /// Returns the bytes of a part's content at the given offsets; offsets after its end are left out.
  /// - Complexity: O(bytes returned).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it.
  public func content(of part: MessagePart.ID, in range: Range<Int>) throws -> [UInt8] {
    try bytes(of: part, in: range).bytes
  }

  private func bytes(
    of part: MessagePart.ID, in range: Range<Int>?
  ) throws -> (bytes: [UInt8], isText: Bool) {
    let range = range.map { UInt64(clamping: $0.lowerBound)..<UInt64(clamping: $0.upperBound) }
    return try locate(part) { found, index, key in
      let bytes = try base.content(of: found, index: index, in: key, range: range ?? 0..<found.length)
      return (bytes, found.kind != .data)
    }
  }

  /// Returns some of the bytes of a content, and which content it is.
  func chunk(of part: MessagePart.ID, from offset: UInt64, bytes: Int) throws -> (
    bytes: [UInt8], content: ContentVersion
  ) {
    try locate(part) { found, index, key in
      let end = min(found.length, offset + UInt64(bytes))
      let bytes = try base.content(of: found, index: index, in: key, range: min(offset, end)..<end)
      return (bytes, ContentVersion(creation: key.sequence, content: found.fields.content))
    }
  }

  private func locate<Result>(
    _ part: MessagePart.ID, _ body: (PartView, _ index: Int, MessageKey) throws -> Result
  ) throws -> Result {
    guard let name = PartIdentifier(part.rawValue) else {
      throw SatchelError(
        .unknownMessage, "There is no such part; a part is named MESSAGE/parts/INDEX", ["part": part.rawValue]
      )
    }
    return try perform {
      let (found, key) = try base.part(Int(name.index), ofMessage: name.message)
      return try body(found, Int(name.index), key)
    }
  }
}

/// What tells a content from that of a later message of the same identifier, and from that which an edit puts in its place.
struct ContentVersion: Equatable, Sendable {
  /// The number of its message's creation.
  let creation: UInt64
  /// Its length and digest; a short one itself.
  let content: StoredPart.Content
}

extension [UInt8] {
  /// The bytes of UTF-8 text from the first whole character to the last one.
  fileprivate var wholeCharacters: ArraySlice<UInt8> {
    let start = firstIndex { $0 & 0xC0 != 0x80 } ?? endIndex
    // The last character begins at most three bytes before the end.
    guard let last = indices.suffix(4).last(where: { self[$0] & 0xC0 != 0x80 }), last >= start else {
      return self[start...]
    }
    let length = self[last] < 0x80 ? 1 : Swift.max(2, (~self[last]).leadingZeroBitCount)
    return self[start..<(last + length <= endIndex ? endIndex : last)]
  }
}
