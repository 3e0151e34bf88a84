/// A line that is being edited: what is before the cursor and what is behind it. The cursor moves by characters as they are seen, so
/// that a letter and its marks, or an emoji of several scalars, are one step.
struct EditedLine {
  private(set) var before = ""
  private(set) var after = ""
  /// What was cut out last.
  private var cut = ""

  init(_ text: String = "") { before = text }

  var text: String { before + after }
  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// Replaces the line; the cursor is at its end. What was cut out stays.
  mutating func replace(with text: String) {
    before = text
    after = ""
  }

  mutating func insert(_ text: String) { before += text }

  /// Replaces what is before the cursor from a place on, which counts scalars.
  mutating func replace(from start: Int, with text: String) {
    before = String(String.UnicodeScalarView(before.unicodeScalars.prefix(start))) + text
  }

  // MARK: Moving

  mutating func moveLeft() { before.popLast().map { after.insert($0, at: after.startIndex) } }
  mutating func moveRight() { if !after.isEmpty { before.append(after.removeFirst()) } }

  mutating func moveToStart() {
    after = before + after
    before = ""
  }

  mutating func moveToEnd() {
    before += after
    after = ""
  }

  mutating func moveWordLeft() {
    let start = startOfWord
    after = before[start...] + after
    before = String(before[..<start])
  }

  mutating func moveWordRight() {
    let end = endOfWord
    before += after[..<end]
    after = String(after[end...])
  }

  // MARK: Cutting

  mutating func deleteLeft() { _ = before.popLast() }
  mutating func deleteRight() { if !after.isEmpty { after.removeFirst() } }

  mutating func cutToStart() {
    cut = before
    before = ""
  }

  mutating func cutToEnd() {
    cut = after
    after = ""
  }

  mutating func cutWordLeft() {
    let start = startOfWord
    cut = String(before[start...])
    before = String(before[..<start])
  }

  mutating func cutWordRight() {
    let end = endOfWord
    cut = String(after[..<end])
    after = String(after[end...])
  }

  /// Inserts what was cut out last.
  mutating func paste() { before += cut }

  private var startOfWord: String.Index {
    var rest = before[...]
    while let last = rest.last, !last.isPartOfWord { rest.removeLast() }
    while let last = rest.last, last.isPartOfWord { rest.removeLast() }
    return rest.endIndex
  }

  private var endOfWord: String.Index {
    var rest = after[...]
    while let first = rest.first, !first.isPartOfWord { rest.removeFirst() }
    while let first = rest.first, first.isPartOfWord { rest.removeFirst() }
    return rest.startIndex
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber }
}
