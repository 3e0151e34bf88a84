/// A pattern of LIKE, divided at each `%`: what a text begins with, what it contains in this order, what it ends with.
struct LikePattern: Sendable {
  /// The part of the pattern between two `%`.
  enum Middle: Sendable {
    /// Scalars without `_` among them.
    case literal(LiteralSearch<UInt32>)
    /// Scalars with `_` among them.
    case wildcards(WildcardSearch)
  }

  /// The value that represents `_` among scalars: no scalar has it.
  static let anyScalar = UInt32.max

  /// What the text begins with; the whole text if the pattern has no `%`.
  let head: [UInt32]
  let middle: [Middle]
  /// What the text ends with, after all other parts; nil if the pattern has no `%`.
  let tail: [UInt32]?

  /// - Parameter text: A pattern that is not yet case-folded.
  init(_ text: String) {
    var parts: [[UInt32]] = [[]]
    var isEscaped = false
    for scalar in text.unicodeScalars {
      switch (scalar, isEscaped) {
      case ("\\", false):
        isEscaped = true
        continue
      case ("%", false): parts.append([])
      case ("_", false): parts[parts.count - 1].append(Self.anyScalar)
      default: parts[parts.count - 1].append(CaseFolding.fold(scalar.value))
      }
      isEscaped = false
    }
    // A backslash at the end stands for itself.
    if isEscaped { parts[parts.count - 1].append(0x5C) }
    tail = parts.count > 1 ? parts.removeLast() : nil
    head = parts.removeFirst()
    middle = parts.filter { !$0.isEmpty }.map { part in
      part.contains(Self.anyScalar)
        ? .wildcards(WildcardSearch(part, wildcard: Self.anyScalar)) : .literal(LiteralSearch(part))
    }
  }

  /// Returns whether a text matches. Each part is matched at its first occurrence, which leaves most of the text to the
  /// parts after it.
  func matches(_ text: FoldedScalars, counting steps: inout some StepCount) -> Bool {
    guard var index = unsafe text.end(of: head, from: 0, counting: &steps) else { return false }
    guard let tail else { return unsafe index == text.utf8.count }
    for part in middle {
      switch part {
      case .literal(let search):
        guard let end = unsafe text.end(ofFirst: search, from: index, counting: &steps) else { return false }
        index = end
      case .wildcards(let search):
        let isFound = search.find(counting: &steps) {
          guard unsafe index < text.utf8.count else { return nil }
          let (scalar, next) = unsafe text.read(at: index)
          index = next
          return scalar
        }
        guard isFound else { return false }
      }
    }
    return unsafe text.ends(with: tail, from: index, counting: &steps)
  }
}
