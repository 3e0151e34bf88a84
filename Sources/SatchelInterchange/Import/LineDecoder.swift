import SatchelLines
import SatchelModel
import SatchelText

/// Reads the lines of a file and decodes them, in order: the part of an import that needs no store.
///
/// Only one thread at a time uses it: first the one that reads the header, then the one that reads the lines ahead.
final class LineDecoder: @unchecked Sendable {
  /// A line of the file: where it is, and its content or why it was rejected.
  struct Line: Sendable {
    enum Content: Sendable {
      /// An object, and the bytes of its line, if these are kept.
      case record(InterchangeRecord, line: [UInt8]?)
      /// A line that is carried out after all lines before it: the first update or deletion and every line from there
      /// on.
      case deferred([UInt8])
      /// A line that is carried out when everything else is in the store: a declaration.
      case declaration([UInt8])
      /// A line that cannot be taken, with the reason.
      case rejected(String)
      case trailer
    }

    /// The line's number, counted from 1.
    let number: Int
    /// How many bytes the file has up to the line's end.
    let end: Int
    let content: Content
  }

  private var reader: LineReader
  private var decoder = RecordDecoder()
  private var line: [UInt8] = []
  private var header = FileHeader(announcesTrailer: false)
  private var hasTrailer = false
  private var isDeferring = false
  private let keepsLines: Bool

  /// - Parameters:
  ///   - keepsLines: Whether the bytes of a line with an object are kept.
  ///   - whileWaiting: See `LineReader`.
  init(_ input: LineInput, lineLimit: Int, keepsLines: Bool, whileWaiting: @escaping () throws -> Void) {
    self.keepsLines = keepsLines
    reader = LineReader(input, limit: lineLimit, whileWaiting: whileWaiting)
  }

  /// The version of the format; known once the header has been read.
  var version: Int64 { decoder.version }

  /// How many keys were ignored because the format does not have them.
  var unknownKeys: Int { decoder.unknownKeys }
  /// The first different ones of these keys.
  private(set) var firstUnknownKeys: [Importer.UnknownKey] = []

  /// Reads the header. Has to be called before `next`.
  /// - Throws: `Importer.Failure`, or what the input throws.
  func readHeader() throws {
    do {
      guard try reader.next(into: &line) else {
        throw Importer.Failure(
          line: nil, reason: "the file is empty: its first line has to be a header", .incompleteFile)
      }
      guard case .header(let header) = try decoded() else {
        throw Importer.Failure(
          line: reader.lineNumber,
          reason:
            "the first line has to be {\"kind\":\"header\",\"format\":\"\(FileHeader.format)\",\"version\":1}"
        )
      }
      self.header = header
      // There may still be a trailer, but that is rare.
      if !header.announcesTrailer { reader.hashOnDemand() }
    } catch let error as LineError {
      throw Importer.Failure(
        line: reader.lineNumber, reason: "the first line has to be a header: \(error.reason)")
    } catch let error as LineReader.LineTooLong {
      throw Importer.Failure(
        line: error.line, reason: "the first line has to be a header, not one of over \(error.limit) bytes")
    }
  }

  /// Returns the next line; nil at the end of the file.
  /// - Throws: `Importer.Failure` for a file that is damaged or cut off, what the input throws, or what `whileWaiting`
  ///   throws.
  func next() throws -> Line? {
    do {
      guard try reader.next(into: &line) else {
        try checkEnd()
        return nil
      }
      guard !hasTrailer else { throw LineError("nothing can stand behind the trailer") }
      switch try decoded() {
      case .header: throw LineError("a header can only be the first line")
      case .trailer(let trailer):
        try check(trailer)
        return made(.trailer)
      case .record(.index): return made(.declaration(copyOfLine()))
      case .record(let record):
        isDeferring = isDeferring || record.isChange
        guard isDeferring else {
          return made(.record(record, line: keepsLines || record.isStagedAsLine ? copyOfLine() : nil))
        }
        return made(.deferred(copyOfLine()))
      }
    } catch let error as LineReader.LineTooLong {
      return made(.rejected("longer than \(error.limit) bytes"))
    } catch let error as LineError {
      return made(.rejected(error.reason))
    }
  }

  private func decoded() throws(LineError) -> InterchangeLine {
    defer {
      for name in decoder.firstUnknownKeys.dropFirst(firstUnknownKeys.count) {
        firstUnknownKeys.append(Importer.UnknownKey(name: name, line: reader.lineNumber))
      }
    }
    return try decoder.decode(line)
  }

  /// Returns a copy of the line's own length: `line` has capacity for the longest line so far.
  private func copyOfLine() -> [UInt8] { unsafe line.withUnsafeBytes { unsafe Array($0) } }

  private func made(_ content: Line.Content) -> Line {
    Line(number: reader.lineNumber, end: reader.byteCount, content: content)
  }
}

extension LineDecoder {
  /// Compares the trailer with the lines before it. A difference means a damaged file, which no option accepts.
  private func check(_ trailer: FileTrailer) throws {
    hasTrailer = true
    if let expected = trailer.sha256, let found = try reader.digestBeforeLine(),
      !expected.hasSameBytes(as: found)
    {
      throw Importer.Failure(
        line: reader.lineNumber,
        reason:
          "the file is damaged: the SHA-256 of the lines before its trailer is \(found), not \(expected)",
        .incompleteFile)
    }
    guard let counts = trailer.counts else { return }
    let kinds = Set(counts.keys).union(decoder.lines.keys.map { ByteString($0.rawValue) })
    for kind in kinds.sorted(by: { UTF8Order.isLess($0.string, $1.string) }) {
      let expected = counts[kind] ?? 0
      let found = InterchangeKind(kind).flatMap { decoder.lines[$0] } ?? 0
      guard expected == found else {
        throw Importer.Failure(
          line: reader.lineNumber,
          reason:
            "the file is damaged: its trailer counts \(expected) lines of kind \(kind.string), there are \(found)",
          .incompleteFile)
      }
    }
  }

  private func checkEnd() throws {
    guard !header.announcesTrailer || hasTrailer else {
      throw Importer.Failure(
        line: nil,
        reason:
          "the file is cut off behind line \(reader.lineNumber): its header announces a trailer, and there is none",
        .incompleteFile)
    }
  }
}

extension InterchangeRecord {
  /// Whether the record changes or deletes an object instead of adding one.
  fileprivate var isChange: Bool {
    switch self {
    case .identity, .conversation, .message, .announcement, .index, .recordType, .record: false
    case .messageUpdate, .conversationUpdate, .identityUpdate, .messageDeletion, .conversationDeletion,
      .recordUpdate, .recordDeletion:
      true
    }
  }

  /// Whether an import into an existing store keeps its line, and not what it adds.
  fileprivate var isStagedAsLine: Bool {
    switch self {
    case .recordType, .record: true
    default: false
    }
  }
}
