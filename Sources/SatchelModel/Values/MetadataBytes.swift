public import SatchelBytes

/// A dictionary of metadata as bytes: its entries by ascending key. FORMAT.md, 5.4.
///
/// An entry is, in this order: twice the key's length, plus one if the value is no text, in varint form; the key; the value's length;
/// the value. The lengths let a look-up skip what it does not need. A value that is neither a text nor a dictionary begins with a zero
/// byte, as no entry of a dictionary does.
///
/// What reads them is total: of bytes that are none of a dictionary it makes nothing, and does not trap.
@usableFromInline package enum MetadataBytes {
  /// The first byte of a value that is neither a text nor a dictionary.
  @inlinable package static var scalarMark: UInt8 { 0 }
  /// The second byte of a list, and that of a reference.
  @inlinable package static var listMark: UInt8 { 6 }
  @inlinable package static var referenceMark: UInt8 { 7 }

  /// One entry of a dictionary.
  @usableFromInline package struct Entry {
    @usableFromInline package let key: Range<Int>
    @usableFromInline package let value: Range<Int>
    @usableFromInline let isText: Bool

    /// What a value is.
    @usableFromInline package enum Form {
      case text, dictionary, list, reference
      /// Any other value: `MetadataScalar`.
      case scalar
    }

    /// Reads the entry that starts at the reader's offset and must end before `end`.
    @inlinable
    package init(_ reader: inout ByteReader, end: Int, _ span: RawSpan) throws(ByteError) {
      let start = reader.offset
      let head = try reader.varint(span)
      isText = head & 1 == 0
      guard let keyCount = Int(exactly: head >> 1), keyCount > 0 else { throw ByteError(offset: start) }
      let first = try reader.take(keyCount, span)
      key = first..<first + keyCount
      value = try reader.counted(span)
      guard reader.offset <= end else { throw ByteError(offset: start) }
    }

    /// An empty dictionary has no bytes.
    @inlinable
    package func form(_ span: RawSpan) -> Form {
      if isText { return .text }
      guard !value.isEmpty, span.u8(value.lowerBound) == scalarMark else { return .dictionary }
      guard value.count >= 2 else { return .scalar }
      return switch span.u8(value.lowerBound + 1) {
      case listMark: .list
      case referenceMark: .reference
      default: .scalar
      }
    }

    /// The texts of a list, or the bytes of a reference: what follows the two bytes that say so.
    @inlinable package var content: Range<Int> { value.lowerBound + 2..<value.upperBound }
  }

  // MARK: Reading

  /// Returns the entry of a key of the dictionary in a range of bytes; nil if there is none.
  package static func find(_ key: RawSpan, in range: Range<Int>, _ span: RawSpan) -> Entry? {
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return nil }
      let order = span.extracting(entry.key).compare(key)
      if order == 0 { return entry }
      if order > 0 { return nil }
    }
    return nil
  }

  /// Returns the value of an entry; nil if it is none.
  package static func value(of entry: Entry, _ span: RawSpan) -> MetadataValue? {
    switch entry.form(span) {
    case .text: text(in: entry.value, span).map { .text($0) }
    case .dictionary: Metadata(checked: span.extracting(entry.value)).map { .dictionary($0) }
    case .list: texts(in: entry.content, span).map { .list($0) }
    case .reference:
      unsafe span.extracting(entry.content).withUnsafeBytes { unsafe Reference(keyBytes: $0) }
        .map { .reference($0) }
    case .scalar: (try? MetadataScalar(span, in: entry.value))?.value
    }
  }

  /// Returns the value at a path of keys; nil if there is none.
  static func value(at path: some Collection<String>, _ span: RawSpan) -> MetadataValue? {
    var found: Entry?
    for key in path {
      var range = 0..<span.byteCount
      if let found {
        guard case .dictionary = found.form(span) else { return nil }
        range = found.value
      }
      var key = key
      found = key.withUTF8 { key in
        unsafe find(UnsafeRawBufferPointer(key).bytes, in: range, span)
      }
      if found == nil { return nil }
    }
    return found.flatMap { value(of: $0, span) }
  }

  /// Returns all entries; nil if a value is none.
  static func entries(_ span: RawSpan) -> [Metadata.Entry]? {
    var entries: [Metadata.Entry] = []
    entries.reserveCapacity(count(span))
    var reader = ByteReader()
    while reader.offset < span.byteCount {
      guard let entry = try? Entry(&reader, end: span.byteCount, span), let key = text(in: entry.key, span),
        let value = value(of: entry, span)
      else { return nil }
      entries.append(Metadata.Entry(key: key, value: value))
    }
    return entries
  }

  /// Returns the number of entries, without those of nested dictionaries.
  static func count(_ span: RawSpan) -> Int {
    var reader = ByteReader()
    var count = 0
    while reader.offset < span.byteCount, (try? Entry(&reader, end: span.byteCount, span)) != nil {
      count += 1
    }
    return count
  }

  private static func text(in range: Range<Int>, _ span: RawSpan) -> String? {
    unsafe span.extracting(range).withUnsafeBytes { unsafe String(utf8: $0) }
  }

  private static func texts(in range: Range<Int>, _ span: RawSpan) -> [String]? {
    var texts: [String] = []
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let inner = try? reader.counted(span), let text = text(in: inner, span) else { return nil }
      texts.append(text)
    }
    return texts
  }

  // MARK: Texts

  /// What is known of a dictionary before a value of it is made.
  enum Survey {
    /// It has few entries, those of nested dictionaries included, and all texts are UTF-8.
    case few
    /// It has more. Of its texts nothing is known.
    case many
    case damaged
  }

  /// The most entries of which each look-up goes through all: to look up every key costs no more than to make all values first.
  private static let fewEntries = 64
  /// Up to so many bytes are looked at as a whole before they are by texts.
  private static let fewBytes = 1024

  static func survey(_ span: RawSpan) -> Survey {
    var rest = fewEntries
    guard hasValidTexts(0..<span.byteCount, span, isASCII: isASCII(span), atMost: &rest) else {
      return .damaged
    }
    return rest < 0 ? .many : .few
  }

  /// Whether all texts, also those of lists, are UTF-8. Of keys who checks the structure has seen it.
  package static func hasValidTexts(_ span: RawSpan) -> Bool {
    var rest = Int.max
    return hasValidTexts(0..<span.byteCount, span, isASCII: isASCII(span), atMost: &rest)
  }

  private static func isASCII(_ span: RawSpan) -> Bool {
    unsafe span.byteCount <= fewBytes && span.withUnsafeBytes { unsafe $0.isASCII }
  }

  /// - Parameter rest: How many entries are looked at; negative behind them.
  private static func hasValidTexts(
    _ range: Range<Int>, _ span: RawSpan, isASCII: Bool, atMost rest: inout Int
  ) -> Bool {
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound, rest >= 0 {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return false }
      rest -= 1
      switch entry.form(span) {
      case .dictionary:
        guard hasValidTexts(entry.value, span, isASCII: isASCII, atMost: &rest) else { return false }
      case .text: guard isASCII || isText(entry.value, span) else { return false }
      case .reference: guard isASCII || isText(entry.content, span) else { return false }
      case .list: guard isASCII || areTexts(entry.content, span) else { return false }
      case .scalar: break
      }
    }
    return true
  }

  private static func isText(_ range: Range<Int>, _ span: RawSpan) -> Bool {
    unsafe span.extracting(range).withUnsafeBytes { unsafe $0.isUTF8 }
  }

  private static func areTexts(_ range: Range<Int>, _ span: RawSpan) -> Bool {
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let inner = try? reader.counted(span), isText(inner, span) else { return false }
    }
    return true
  }
}
