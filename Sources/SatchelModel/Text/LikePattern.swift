/// LIKE's pattern, parted at its `%`: what a text begins with, what it holds in this order, what it ends with.
struct LikePattern: Sendable {
  /// What stands between two `%`.
  enum Middle: Sendable {
    /// Scalars, none of them any.
    case literal(LiteralSearch<UInt32>)
    /// Scalars with `_` among them.
    case wildcards(WildcardSearch)
  }

  /// What `_` is among scalars: no scalar has that value.
  static let anyScalar = UInt32.max

  /// What the text begins with; the whole text where there is no `%`.
  let head: [UInt32]
  let middle: [Middle]
  /// What the text ends with, behind all else; nil where there is no `%`.
  let tail: [UInt32]?

  /// - Parameter text: A pattern whose scalars are still to be folded.
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

  /// True for a text that matches. Each part is taken where it first comes: that leaves most to those behind it.
  func matches(_ text: FoldedScalars, counting steps: inout some StepCount) -> Bool {
    guard var index = text.end(of: head, from: 0, counting: &steps) else { return false }
    guard let tail else { return index == text.utf8.count }
    for part in middle {
      switch part {
      case .literal(let search):
        guard let end = text.end(ofFirst: search, from: index, counting: &steps) else { return false }
        index = end
      case .wildcards(let search):
        let isFound = search.find(counting: &steps) {
          guard index < text.utf8.count else { return nil }
          let (scalar, next) = text.read(at: index)
          index = next
          return scalar
        }
        guard isFound else { return false }
      }
    }
    return text.ends(with: tail, from: index, counting: &steps)
  }
}
