import TestSupport

/// Writes predicates in the predicate language. With a generator it varies what may be written in several ways:
/// operators' other spellings, the case of keywords, kinds of quotation mark, escapes, space, aliases.
struct PredicatePrinter {
  private var style: SeededGenerator?

  init(style: SeededGenerator? = nil) {
    self.style = style
  }

  static func print(_ predicate: Predicate) -> String {
    var printer = PredicatePrinter()
    return printer.print(predicate)
  }

  mutating func print(_ predicate: Predicate) -> String {
    switch predicate {
    case .constant(let holds): return keyword(holds ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .and(let operands):
      guard operands.count > 1 else { return operands.first.map { print($0) } ?? print(.constant(true)) }
      let joint = chance(5) ? " && " : " \(keyword("AND")) "
      return operands.map { operand in isJunction(operand) ? "(\(print(operand)))" : print(operand) }
        .joined(separator: joint)
    case .or(let operands):
      guard operands.count > 1 else { return operands.first.map { print($0) } ?? print(.constant(false)) }
      let joint = chance(5) ? " || " : " \(keyword("OR")) "
      return operands.map { operand in
        if case .or = operand { return "(\(print(operand)))" }
        return print(operand)
      }.joined(separator: joint)
    case .not(let operand):
      let text = isJunction(operand) || chance(3) ? "(\(print(operand)))" : print(operand)
      return chance(5) ? "!" + text : "\(keyword("NOT")) \(text)"
    case .comparison(let comparison): return print(comparison)
    case .pair(let pair): return print(pair)
    case .elements(let quantifier, let path, let predicate):
      let space = chance(8) ? "" : " "
      return "\(keyword(quantifier.rawValue)) \(print(path))\(space)(\(print(predicate)))"
    }
  }

  private func isJunction(_ predicate: Predicate) -> Bool {
    switch predicate {
    case .and, .or: true
    case .constant, .not, .comparison, .pair, .elements: false
    }
  }

  private mutating func print(_ comparison: Predicate.Comparison) -> String {
    let path = (comparison.quantifier.map { keyword($0.rawValue) + " " } ?? "") + print(comparison.path)
    if comparison.operation == .equal, comparison.operand == .boolean(true), comparison.quantifier == nil,
      chance(3)
    {
      return path
    }
    if comparison.operation == .equal, comparison.operand.isReference, chance(4) {
      let quantifier = comparison.quantifier.map { keyword($0.rawValue) + " " } ?? ""
      return "\(quantifier)\(print(comparison.operand)) \(keyword("IN")) \(print(comparison.path))"
    }
    if comparison.path.components.last == "participants", comparison.operation == .contains, chance(2) {
      return "\(print(comparison.operand)) \(keyword("IN")) \(path)"
    }
    let options =
      switch comparison.form {
      case []: ""
      case .caseless: "[c]"
      case .markless: "[d]"
      default: "[cd]"
      }
    let space = chance(8) && comparison.operation.rawValue.first?.isLetter == false ? "" : " "
    return path + space + operation(comparison.operation) + options + space + print(comparison.operand)
  }

  private mutating func print(_ pair: Predicate.Pair) -> String {
    let quantifier = pair.quantifier.map { keyword($0.rawValue) + " " } ?? ""
    let space = chance(8) && pair.operation.rawValue.first?.isLetter == false ? "" : " "
    return quantifier + print(pair.left) + space + operation(pair.operation) + space + print(pair.right)
  }

  mutating func print(_ path: PropertyPath) -> String {
    var text = ""
    // A key of metadata has no other spelling.
    let end = path.components.firstIndex(of: "metadata") ?? path.components.count
    for (index, component) in path.components.enumerated() {
      if index > 0 { text += "." }
      // A first name that is none, or that is a keyword, needs a sign before it.
      let needsSign = index == 0 && !component.isPlainFirstName
      let hasSign = needsSign || index == 0 && chance(40)
      if hasSign { text += "#" }
      if index > 0 || hasSign, !component.isPlainName || chance(30) {
        text += quoted(component)
      } else {
        text += index < end && component == "mimeType" && chance(3) ? "MIMEType" : component.string
      }
    }
    return text
  }

  private mutating func operation(_ operation: Predicate.Operation) -> String {
    switch operation {
    case .equal: chance(4) ? "==" : "="
    case .notEqual: chance(4) ? "<>" : "!="
    case .lessOrEqual: chance(6) ? "=<" : "<="
    case .greaterOrEqual: chance(6) ? "=>" : ">="
    default: keyword(operation.rawValue)
    }
  }

  private mutating func print(_ literal: Predicate.Literal) -> String {
    switch literal {
    case .string(let text): return quoted(text)
    case .integer(let value): return String(value)
    case .double(let value): return String(value)
    case .boolean(let value):
      return keyword(value ? (chance(4) ? "YES" : "TRUE") : (chance(4) ? "NO" : "FALSE"))
    case .date(let date): return Timestamp.format(date)
    case .reference(let reference):
      let space = chance(8) ? " " : ""
      return
        "\(keyword("REFERENCE"))\(space)(\(quoted(reference.type)),\(chance(8) ? "" : " ")\(quoted(reference.name)))"
    case .null: return chance(3) ? keyword("NULL") : keyword("nil")
    case .list(let elements):
      let texts = elements.map { print($0) }
      return texts.isEmpty ? "{ }" : "{" + texts.joined(separator: ", ") + "}"
    case .dictionary(let members):
      let texts = members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \(print($0.value))" }
      return texts.isEmpty ? "{}" : "{" + texts.joined(separator: ", ") + "}"
    }
  }

  mutating func quoted(_ text: ByteString) -> String {
    let quote: Unicode.Scalar = chance(3) ? "\"" : "'"
    let escapesAll = chance(20)
    var result = String.UnicodeScalarView([quote])
    for scalar in text.scalars {
      switch scalar {
      case quote, "\\": result.append(contentsOf: ["\\", scalar])
      case "\n" where chance(2): result.append(contentsOf: "\\n".unicodeScalars)
      case "\t" where chance(2): result.append(contentsOf: "\\t".unicodeScalars)
      case _ where escapesAll && !scalar.isASCII:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    result.append(quote)
    return String(result)
  }

  private mutating func keyword(_ word: String) -> String {
    chance(6) ? (word == word.lowercased() ? word.uppercased() : word.lowercased()) : word
  }

  /// True once in so many times, if style is varied.
  private mutating func chance(_ times: Int) -> Bool {
    style?.below(times) == 0
  }
}

extension ByteString {
  /// Whether a path takes this without quotation marks.
  fileprivate var isPlainName: Bool {
    MetadataTree.isName(self) && utf8.first != 0x2D
  }

  /// Whether a path may begin with this without a sign before it: no digit and no keyword.
  fileprivate var isPlainFirstName: Bool {
    guard isPlainName, let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
    return ![
      "AND", "OR", "NOT", "TRUE", "FALSE", "YES", "NO", "NIL", "NULL", "NAN", "ANY", "ALL", "NONE", "IN",
      "BETWEEN", "LIKE", "BEGINSWITH", "ENDSWITH", "CONTAINS", "AUTOCOMPLETE", "MATCHES", "MATCHES-TEXT",
      "TRUEPREDICATE",
      "FALSEPREDICATE", "REFERENCE",
    ].contains(string.uppercased())
  }
}
