/// The terms of one object's texts, and how often each is there: what an index has of them.
///
/// - A word and a compound are the terms of their bytes. One of more than ``maximumBytes`` bytes is cut: its term is the first of them and
///   ``cutMark``, a byte that no text has. Whoever looks for a longer word, or for the middle or the end of words, has to read the texts that
///   have such a term.
/// - So is what a word has between scalars that are not seen, and the word is one without them.
/// - A character is a term, and so are two characters that stand together.
///
/// No two of these are ever the same: characters are in no word.
package struct TextTerms: Sendable {
  /// The most bytes of a word that are in a term.
  package static let maximumBytes = 64
  /// The last byte of a term that was cut.
  package static let cutMark: UInt8 = 0xFF

  /// The number of words and characters; compounds and fragments are not counted again.
  package private(set) var length = 0
  private var folder = TextFolder()
  private var table = ByteTable()
  private var frequencies: [Int32] = []
  private var cut: [UInt8] = []

  package init() {}

  /// The number of different terms.
  package var count: Int { table.count }

  /// Forgets all terms, and keeps the memory for others.
  package mutating func removeAll() {
    table.removeAll()
    frequencies.removeAll(keepingCapacity: true)
    length = 0
  }

  /// Adds the terms of a text, given as UTF-8.
  /// - Complexity: O(text), for any text.
  package mutating func add(_ utf8: UnsafeBufferPointer<UInt8>) {
    unsafe folder.fold(utf8)
    let folder = folder
    unsafe folder.bytes.withUnsafeBufferPointer { folded in
      var tokens = unsafe TextTokens(folded, breaks: folder.breaks)
      var previous = 0
      while let token = unsafe tokens.next() {
        let range = token.range
        if token.isPosition { length += 1 }
        if token.kind == .nextCharacter {
          unsafe addTerm(UnsafeBufferPointer(rebasing: folded[previous..<range.upperBound]))
        }
        if token.isCharacter { previous = range.lowerBound }
        unsafe addTerm(UnsafeBufferPointer(rebasing: folded[range]))
      }
    }
  }

  /// Adds the terms of a text.
  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { unsafe add($0) }
  }

  private mutating func addTerm(_ word: UnsafeBufferPointer<UInt8>) {
    let number: Int
    if word.count <= Self.maximumBytes {
      number = unsafe table.insert(word)
    } else {
      cut.removeAll(keepingCapacity: true)
      unsafe cut.append(contentsOf: word.prefix(Self.maximumBytes))
      cut.append(Self.cutMark)
      number = table.insert(cut)
    }
    if number == frequencies.count {
      frequencies.append(1)
    } else if frequencies[number] < Int32.max {
      frequencies[number] += 1
    }
  }

  /// Returns the term of a word as it is in the index, and whether it was cut.
  static func term(of word: [UInt8]) -> (bytes: [UInt8], isCut: Bool) {
    word.count <= maximumBytes ? (word, false) : (word.prefix(maximumBytes) + [cutMark], true)
  }

  /// Calls `body` with the bytes of each term, which must not leave it, and with how often the term is there; in the order in which the texts have
  /// them first.
  package func forEach(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Void) rethrows {
    let bytes = table.bytes.span
    for number in 0..<count {
      try unsafe bytes.extracting(table.range(of: number)).withUnsafeBufferPointer { term in
        try unsafe body(term, Int(frequencies[number]))
      }
    }
  }
}
