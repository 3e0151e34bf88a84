/// Finds the phrases of a condition in the tokens of a text, all in one pass, with a bit for each of their elements (the Shift-And algorithm): a
/// token costs one step for 64 elements.
struct PhraseSearch: Sendable {
  /// Numbers of the different elements.
  private var elements = ByteTable()
  /// The bits of each element that is whole, `words` for each, and behind them those of none.
  private var rows: [UInt64] = []
  /// Elements that words begin or end with, and the bit of each.
  private var edges: [(bytes: [UInt8], isEnding: Bool, bit: Int)] = []
  /// Which bytes an element may begin with.
  private var firstBytes = ByteSet()
  private var isBegun = false
  private var starts: [UInt64] = []
  /// The last elements, and those that stand directly behind the one before.
  private var ends: [UInt64] = []
  private var joined: [UInt64] = []
  /// The phrase of each bit, and how many elements of it are before that one.
  private var owners: [(leaf: Int, index: Int)] = []
  /// The phrases that end with the token that was taken last, each with the number of its tokens.
  private(set) var completed: [(leaf: Int, count: Int)] = []
  /// The number of elements of the longest phrase.
  let longest: Int
  private let words: Int
  private var state: [UInt64]
  private var next: [UInt64]

  var isEmpty: Bool { owners.isEmpty }

  init(_ phrases: [(leaf: Int, phrase: SearchPhrase)]) {
    let count = phrases.reduce(0) { $0 + $1.phrase.elements.count }
    words = (count + 63) / 64
    longest = phrases.map(\.phrase.elements.count).max() ?? 0
    state = [UInt64](repeating: 0, count: words)
    next = state
    (starts, ends, joined) = (state, state, state)
    var bits: [(element: Int, bit: Int)] = []
    for (leaf, phrase) in phrases {
      for (index, element) in phrase.elements.enumerated() {
        let bit = owners.count
        owners.append((leaf, index))
        firstBytes.insert(element.bytes[0])
        if index == 0 { Self.set(bit, in: &starts) }
        if index == phrase.elements.count - 1 { Self.set(bit, in: &ends) }
        if element.isNext { Self.set(bit, in: &joined) }
        if phrase.isEnding(at: index) || phrase.isBeginning(at: index) {
          edges.append((element.bytes, phrase.isEnding(at: index), bit))
          if phrase.isEnding(at: index) { firstBytes = .all }
        } else {
          bits.append((elements.insert(element.bytes), bit))
        }
      }
    }
    rows = [UInt64](repeating: 0, count: (elements.count + 1) * words)
    for (element, bit) in bits { rows[element * words + bit / 64] |= 1 << UInt64(bit % 64) }
  }

  private static func set(_ bit: Int, in bits: inout [UInt64]) { bits[bit / 64] |= 1 << UInt64(bit % 64) }

  /// Begins another text.
  mutating func begin() {
    guard isBegun else { return }
    for word in 0..<words { state[word] = 0 }
    isBegun = false
  }

  /// Takes the next word or character.
  /// - Complexity: O(bytes + elements / 64 + phrases with a star).
  mutating func take(_ token: TextToken, _ bytes: UnsafeBufferPointer<UInt8>) {
    completed.removeAll(keepingCapacity: true)
    guard unsafe firstBytes.contains(bytes[0]) else {
      begin()
      return
    }
    isBegun = true
    let row = unsafe (elements.number(of: bytes) ?? elements.count) * words
    for word in 0..<words { next[word] = rows[row + word] }
    if token.kind == .word {
      for edge in edges where bytes.count >= edge.bytes.count {
        let rest = edge.isEnding ? bytes.count - edge.bytes.count : 0
        if unsafe ByteTable.isEqual(bytes, from: rest, edge.bytes) { Self.set(edge.bit, in: &next) }
      }
    }
    var carry: UInt64 = 0
    for word in 0..<words {
      let old = state[word]
      var bits = (old << 1 | carry | starts[word]) & next[word]
      carry = old >> 63
      if token.kind != .nextCharacter { bits &= ~joined[word] }
      state[word] = bits
      var complete = bits & ends[word]
      while complete != 0 {
        let owner = owners[word * 64 + complete.trailingZeroBitCount]
        completed.append((owner.leaf, owner.index + 1))
        complete &= complete - 1
      }
    }
  }
}
