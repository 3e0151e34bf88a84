import CSQLiteProof
import Foundation

/// The functions of texts that SQLite lacks, from the properties that Swift's library has of each scalar, and not from the folding of
/// the store or of the reference model.
///
/// `caseless(X)` is simple case folding; `markless(X)` form C of the canonical decomposition without nonspacing
/// marks; `words(X)` all words without cases and marks, with a byte of 0 before each; `sought(X)` the text as full-text search sees it, `searched(X)` its words, compounds and fragments, and
/// `placed(X)` its words and characters in their order, with a byte of 0 before and behind each. Which words a text has is taken from the reference
/// model: what a second opinion is given of is what is done with them. NULL gives NULL.
enum SQLiteTexts {
  static func register(with connection: OpaquePointer) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    let statuses = [
      sqlite3_create_function_v2(
        connection, "caseless", 1, flags, nil,
        { SQLiteTexts.answer($0, $1, $2, SQLiteTexts.caseless) }, nil, nil, nil),
      sqlite3_create_function_v2(
        connection, "markless", 1, flags, nil,
        { SQLiteTexts.answer($0, $1, $2, SQLiteTexts.markless) }, nil, nil, nil),
      sqlite3_create_function_v2(
        connection, "words", 1, flags, nil,
        { SQLiteTexts.answer($0, $1, $2, SQLiteTexts.markedWords) }, nil, nil, nil),
      sqlite3_create_function_v2(
        connection, "sought", 1, flags, nil,
        {
          SQLiteTexts.answer($0, $1, $2) { ByteString(scalars: SQLiteTexts.searchText($0).scalars) }
        }, nil, nil, nil),
      sqlite3_create_function_v2(
        connection, "searched", 1, flags, nil,
        { SQLiteTexts.answer($0, $1, $2) { SQLiteTexts.marked(SQLiteTexts.searchText($0).words) } }, nil, nil,
        nil),
      sqlite3_create_function_v2(
        connection, "placed", 1, flags, nil,
        {
          SQLiteTexts.answer($0, $1, $2) {
            let text = SQLiteTexts.searchText($0)
            return SQLiteTexts.marked(text.places.map { text[$0] })
          }
        }, nil, nil, nil),
    ]
    guard statuses.allSatisfy({ $0 == SQLITE_OK }) else {
      throw SQLiteError(description: "a function is refused: \(statuses)")
    }
  }

  private static func answer(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ function: (ByteString) -> ByteString
  ) {
    guard count == 1, let argument = arguments?[0], sqlite3_value_type(argument) != SQLITE_NULL else {
      sqlite3_result_null(context)
      return
    }
    // The bytes first: asking for their number could move them.
    let start = sqlite3_value_blob(argument)
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument))))
    function(ByteString(utf8: bytes)).utf8.withUnsafeBytes {
      satchel_return_bytes(context, $0.baseAddress, Int32($0.count))
    }
  }

  /// Normalisation form C: how texts of the model and of operands compare.
  static func composed(_ text: ByteString) -> ByteString {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return ByteString(text.string.precomposedStringWithCanonicalMapping)
  }

  static func markless(_ text: ByteString) -> ByteString {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    let decomposed = text.string.decomposedStringWithCanonicalMapping.unicodeScalars
    return composed(
      ByteString(scalars: decomposed.filter { $0.properties.generalCategory != .nonspacingMark }))
  }

  static func caseless(_ text: ByteString) -> ByteString {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return ByteString(utf8: text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
    }
    return ByteString(scalars: text.scalars.map(folded))
  }

  static func words(_ text: ByteString) -> [ByteString] { caseless(markless(text)).words }

  /// A word with a byte of 0 before it, which no word has.
  static func marked(_ word: ByteString) -> ByteString { ByteString(utf8: [0] + word.utf8) }

  /// Words with a byte of 0 before and behind each; open before the first one, or behind the last one, if it may go on there.
  static func marked(
    _ words: [[Unicode.Scalar]], isOpenBefore: Bool = false, isOpenBehind: Bool = false
  ) -> ByteString {
    var bytes: [UInt8] = []
    for word in words { bytes += [0] + ByteString(scalars: word).utf8 + [0] }
    if isOpenBefore { bytes.removeFirst() }
    if isOpenBehind { bytes.removeLast() }
    return ByteString(utf8: bytes)
  }

  private static func searchText(_ text: ByteString) -> SearchText {
    SearchText(folded: caseless(text.seen))
  }

  private static func markedWords(_ text: ByteString) -> ByteString {
    ByteString(utf8: words(text).flatMap { marked($0).utf8 })
  }

  /// Simple case folding of one scalar, as CaseFolding.txt is made: the lower case of the upper case, each where it is one scalar. The two
  /// Turkish letters fold to themselves, and Cherokee, whose small letters are the younger ones, to its capitals.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x41...0x5A: return Unicode.Scalar(UInt8(scalar.value) + 0x20)
    case 0..<0x80: return scalar
    case 0x130, 0x131: return scalar
    case 0x13A0...0x13FD, 0xAB70...0xABBF: return single(scalar.properties.uppercaseMapping) ?? scalar
    default:
      let upper = single(scalar.properties.uppercaseMapping) ?? scalar
      return single(upper.properties.lowercaseMapping) ?? upper
    }
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }
}
