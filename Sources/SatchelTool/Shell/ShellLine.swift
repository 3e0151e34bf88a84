/// A line of the shell, taken apart into words as a command line is.
///
/// Spaces separate words. Within `'…'` everything stands for itself, within `"…"` everything but `\"` and `\\`, and elsewhere a
/// backslash makes the scalar behind it stand for itself. What stands behind `--where` needs no quotation marks around it: it
/// goes to the next option or the end of the line.
struct ShellLine {
  struct Word {
    /// What the word stands for.
    var text = ""
    /// Where the word begins in the line, and where it ends: numbers of scalars.
    let start: Int
    var end: Int
    /// For each scalar of the text where it stands in the line.
    var places: [Int] = []
    /// The quotation mark within which the word ends; nil if it ends in none.
    var openQuote: Unicode.Scalar?
    /// Whether it is a predicate as it stands in the line.
    var isPredicate = false
  }

  private let scalars: [Unicode.Scalar]
  private(set) var words: [Word] = []

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var index = 0
    while true {
      skipSpace(&index)
      guard index < scalars.count else { return }
      let word = word(at: index)
      index = word.end
      // Behind the end of the options nothing is one.
      if words.contains(where: { $0.text == CommandArguments.endOfOptions }) {
        words.append(word)
        continue
      }
      if let predicate = Self.joined(word) {
        words += predicate
        // `--where=` and a predicate behind it, without a space.
        index = predicate[0].end
      } else {
        words.append(word)
      }
      if words.last?.text == Self.option { takePredicate(&index) }
    }
  }

  /// The column, from 1, of a quotation mark that is not closed; nil if all are.
  var unclosed: Int? {
    guard let word = words.last, word.openQuote != nil, !word.isPredicate else { return nil }
    return word.start + 1
  }

  private static let option = "--where"

  private func isSpace(_ index: Int) -> Bool { scalars[index].properties.isWhitespace }

  private func skipSpace(_ index: inout Int) {
    while index < scalars.count, isSpace(index) { index += 1 }
  }

  /// Reads the word that begins at a place.
  private func word(at start: Int) -> Word {
    var word = Word(start: start, end: start)
    var text = String.UnicodeScalarView()
    var index = start
    func take(_ place: Int) {
      text.append(scalars[place])
      word.places.append(place)
    }
    while index < scalars.count {
      let scalar = scalars[index]
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch (word.openQuote, scalar) {
      case (let quote?, _) where scalar == quote: word.openQuote = nil
      case ("\""?, "\\") where next == "\"" || next == "\\", (nil, "\\") where next != nil:
        index += 1
        take(index)
      case (nil, "'"), (nil, "\""): word.openQuote = scalar
      case (nil, _) where isSpace(index):
        word.text = String(text)
        word.end = index
        return word
      default: take(index)
      }
      index += 1
    }
    word.text = String(text)
    word.end = index
    return word
  }

  /// Returns the option alone, if a word is the option, an equals sign and more.
  private static func joined(_ word: Word) -> [Word]? {
    let length = option.unicodeScalars.count
    guard word.text.hasPrefix(option + "="), word.places.count > length else { return nil }
    // Without quotation marks before it, so that the places are those of the line.
    guard word.places[length] == word.start + length else { return nil }
    return [Word(text: option, start: word.start, end: word.start + length + 1)]
  }

  /// Reads the value of `--where`: one word in quotation marks, or all up to the next option.
  private mutating func takePredicate(_ index: inout Int) {
    skipSpace(&index)
    guard index < scalars.count else { return }
    if ["'", "\""].contains(scalars[index]) {
      let word = word(at: index)
      // No predicate begins with a text, but for one that goes on with IN.
      if word.openQuote != nil || !isIn(behind: word.end) {
        words.append(word)
        index = word.end
        return
      }
    }
    var word = Word(start: index, end: index, isPredicate: true)
    var isEscaped = false
    var end = index
    while index < scalars.count {
      let scalar = scalars[index]
      if let quote = word.openQuote {
        if isEscaped {
          isEscaped = false
        } else if scalar == "\\" {
          isEscaped = true
        } else if scalar == quote {
          word.openQuote = nil
        }
      } else if scalar == "'" || scalar == "\"" {
        word.openQuote = scalar
      } else if isSpace(index), isOption(behind: index) {
        break
      }
      index += 1
      if word.openQuote != nil || !isSpace(index - 1) { end = index }
    }
    // Behind a space at the end of the line somebody may still be writing.
    if index == scalars.count { end = index }
    word.end = end
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[word.start..<end])
    word.text = String(text)
    word.places = Array(word.start..<end)
    words.append(word)
  }

  private func isIn(behind index: Int) -> Bool {
    var index = index
    skipSpace(&index)
    // The I alone is an IN that somebody is writing.
    return ["IN", "I"].contains(word(at: index).text.uppercased())
  }

  /// Whether an option stands behind the space at a place.
  private func isOption(behind index: Int) -> Bool {
    var index = index
    skipSpace(&index)
    guard index + 2 < scalars.count, scalars[index] == "-", scalars[index + 1] == "-" else {
      // `--` alone at the end is the beginning of one.
      return index + 2 == scalars.count && scalars[index] == "-" && scalars[index + 1] == "-"
    }
    return scalars[index + 2].properties.isAlphabetic
  }
}

// MARK: - Spelling words

extension ShellLine.Word {
  /// Returns where in the line a scalar of the text stands, or would stand as the next one.
  func place(of index: Int) -> Int { index < places.count ? places[index] : end }
}

extension ShellLine {
  /// Returns how a text is spelled as a word: as it is if it can be.
  /// - Parameter quote: The quotation mark that is typed already.
  static func spelled(_ text: String, quote: Unicode.Scalar?) -> String {
    let isPlain =
      !text.isEmpty && !text.hasPrefix("#")
      && !text.unicodeScalars.contains {
        $0.properties.isWhitespace || $0 == "'" || $0 == "\"" || $0 == "\\"
      }
    if quote == nil, isPlain { return text }
    let marks: [Unicode.Scalar] = quote.map { [$0, "\""] } ?? ["'", "\""]
    for mark in marks {
      guard let inner = inside(text, quote: mark) else { continue }
      return "\(mark)\(inner)\(mark)"
    }
    return text
  }

  /// Returns how a text is spelled within quotation marks; nil if it cannot be.
  static func inside(_ text: String, quote: Unicode.Scalar) -> String? {
    guard quote == "\"" else { return text.unicodeScalars.contains(quote) ? nil : text }
    var inner = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { inner.append("\\") }
      inner.append(scalar)
    }
    return String(inner)
  }
}
