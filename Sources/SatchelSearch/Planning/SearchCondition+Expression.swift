extension SearchCondition {
  /// Where the terms of an index answer the condition.
  package var expression: SearchExpression { root.map(expression) ?? .nothing }

  private func expression(_ node: Node) -> SearchExpression {
    switch node {
    case .leaf(let number):
      let leaf = leaves[number]
      return leaf.field.map { .field(fields[$0], leaf.form.expression) } ?? leaf.form.expression
    case .and(let nodes): return .all(nodes.map(expression))
    case .or(let nodes): return .any(nodes.map(expression))
    case .not(let node): return .none(expression(node))
    }
  }
}

extension SearchForm {
  /// Where the terms of an index answer the form.
  package var expression: SearchExpression {
    switch self {
    case .word(let bytes): Self.term(bytes)
    case .beginning(let bytes): Self.prefix(bytes)
    case .ending(let bytes): .any([.suffix(bytes), .reading(.cutTerm)])
    case .part(let bytes): Self.part(bytes)
    case .phrase(let phrase): .reading(Self.phrase(phrase))
    }
  }

  private static func term(_ word: [UInt8]) -> SearchExpression {
    let (bytes, isCut) = TextTerms.term(of: word)
    return isCut ? .reading(.term(bytes)) : .term(bytes)
  }

  /// Words that begin with more than a term has begin with the same bytes, and are cut.
  private static func prefix(_ word: [UInt8]) -> SearchExpression {
    word.count <= TextTerms.maximumBytes ? .prefix(word) : term(word)
  }

  /// Of a phrase, all words and characters, and the pairs of those that stand together.
  private static func phrase(_ phrase: SearchPhrase) -> SearchExpression {
    var parts: [SearchExpression] = []
    for (index, element) in phrase.elements.enumerated() {
      let isPaired = index + 1 < phrase.elements.count && phrase.elements[index + 1].isNext
      if element.isNext {
        parts.append(.term(phrase.elements[index - 1].bytes + element.bytes))
      } else if !isPaired {
        parts.append(
          phrase.isEnding(at: index)
            ? .any([.suffix(element.bytes), .cutTerm])
            : phrase.isBeginning(at: index) ? prefix(element.bytes).upper : term(element.bytes).upper)
      }
    }
    return .all(parts)
  }

  /// Of a part, the words and characters that are whole in it, and what it has of words at its two ends.
  private static func part(_ bytes: [UInt8]) -> SearchExpression {
    let tokens = TextToken.all(of: bytes).filter(\.isPosition)
    // What stands beside the first and the last token may belong to a longer word of the text.
    let isOpen = TokenEdges(bytes, tokens)
    if tokens.count == 1, tokens[0].range == bytes.indices, isOpen.atStart, isOpen.atEnd {
      return .any([.part(bytes), .reading(.cutTerm)])
    }
    var parts: [SearchExpression] = []
    for (index, token) in tokens.enumerated() {
      let word = Array(bytes[token.range])
      switch token.kind {
      case .compound, .fragment: break
      case .nextCharacter: parts.append(.term(bytes[tokens[index - 1].range] + word))
      case .character:
        if index + 1 == tokens.count || tokens[index + 1].kind != .nextCharacter { parts.append(.term(word)) }
      case .word:
        let isFirst = index == 0 && isOpen.atStart
        let isLast = index == tokens.count - 1 && isOpen.atEnd
        switch (isFirst, isLast) {
        case (true, true): parts.append(.any([.part(word), .cutTerm]))
        case (true, false): parts.append(.any([.suffix(word), .cutTerm]))
        case (false, true): parts.append(prefix(word).upper)
        case (false, false): parts.append(term(word).upper)
        }
      }
    }
    // One character, or two that stand together, are a term.
    let isTerm =
      parts.count == 1 && tokens.allSatisfy(\.isCharacter)
      && tokens[0].range.lowerBound == 0 && tokens[tokens.count - 1].range.upperBound == bytes.count
    return isTerm ? parts[0] : .reading(.all(parts))
  }
}

/// Whether the first and the last word of a part of a text may go on in the text: nothing stands between them and the end that ends a word.
private struct TokenEdges {
  private(set) var atStart = false
  private(set) var atEnd = false

  init(_ bytes: [UInt8], _ tokens: [TextToken]) {
    guard let first = tokens.first, let last = tokens.last else { return }
    atStart = Self.isOpen(bytes, first.range, 0..<first.range.lowerBound)
    atEnd = Self.isOpen(bytes, last.range, last.range.upperBound..<bytes.count)
  }

  private static func isOpen(_ bytes: [UInt8], _ word: Range<Int>, _ outside: Range<Int>) -> Bool {
    let scalars = { String(decoding: bytes[$0], as: UTF8.self).unicodeScalars }
    return scalars(outside).allSatisfy { TokenClass($0).isSkipped }
      && scalars(word).allSatisfy { TokenClass($0).continuesWord }
  }
}
