package import SatchelModel
import SatchelText

/// The beginning of a text of the predicate language, up to where somebody is writing: which word is unfinished there, and what may
/// stand in its place.
package struct PredicateBeginning {
  /// What may stand at a place of a predicate.
  package enum Place: Sendable, Hashable {
    /// A comparison, with whatever may be in front of it.
    case comparison
    /// An operator behind a path.
    case `operator`(of: [String])
    /// The word IN.
    case `in`
    /// A value, or values in braces, behind a path and an operator.
    case operand(of: [String], QueryPredicate.Operator)
    /// AND, OR, or the end.
    case conjunction
  }

  /// The word that is unfinished; empty between two words.
  package enum Word: Sendable, Hashable {
    /// The last name of a path, behind those before it.
    case name(String, behind: [String])
    /// A text in quotation marks that are not closed.
    case text(String, quote: Unicode.Scalar)
  }

  package let word: Word
  /// Where the word begins: the number of scalars before it.
  package let start: Int
  /// What may stand in the place of the word; nil if what is before it is no beginning of a predicate.
  package let place: Place?
  /// The path from the object to the elements whose conditions are written there, between parentheses behind ANY, ALL or NONE; empty
  /// elsewhere. The paths in `place` begin at the object all the same.
  package let relation: [String]

  package init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    if let (start, quote) = Self.openText(scalars) {
      self.start = start
      word = .text(Self.content(scalars[(start + 1)...], quote), quote: quote)
    } else {
      var start = scalars.count
      while start > 0, Names.continues(scalars[start - 1]) || [".", "#"].contains(scalars[start - 1]) {
        start -= 1
      }
      self.start = start
      let names = Self.text(scalars[start...].drop { $0 == "#" })
        .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      word = .name(names.last ?? "", behind: names.dropLast())
    }
    (place, relation) = Self.place(atEndOf: Self.text(scalars[..<start]))
  }

  /// Returns the keywords and operators that may stand in the place of the word, of a predicate for objects of a kind.
  package func words(of kind: ObjectKind) -> [String] {
    func spelled(_ keywords: [Keyword]) -> [String] { keywords.map { $0.rawValue.uppercased() } }
    switch place {
    case nil: return []
    case .comparison?: return spelled([.not, .any, .all, .none, .truepredicate, .falsepredicate])
    case .in?: return spelled([.in])
    case .conjunction?: return spelled([.and, .or])
    case .operator(let path)?:
      guard let property = try? ObjectProperty(path: path, of: kind) else { return [] }
      // A Boolean is a comparison by itself.
      return property.spelledOperators
        + (property.type == .boolean ? spelled([.and, .or]) : [])
    case .operand(let path, let `operator`)?:
      guard let property = try? ObjectProperty(path: path, of: kind) else { return [] }
      return spelled(property.type == .boolean ? [.true, .false] : [])
        + (property.isOptional(of: kind) && [.equal, .notEqual].contains(`operator`)
          ? [Keyword.nil.rawValue] : [])
        + (property.field.mayRefer && [.equal, .notEqual].contains(`operator`) ? spelled([.reference]) : [])
    }
  }

  /// Returns where a text begins whose quotation mark is not closed, and that mark; nil if there is none.
  private static func openText(_ scalars: [Unicode.Scalar]) -> (start: Int, quote: Unicode.Scalar)? {
    var open: (start: Int, quote: Unicode.Scalar)?
    var isEscaped = false
    for (index, scalar) in scalars.enumerated() {
      if let (_, quote) = open {
        if isEscaped {
          isEscaped = false
        } else if scalar == "\\" {
          isEscaped = true
        } else if scalar == quote {
          open = nil
        }
      } else if scalar == "'" || scalar == "\"" {
        open = (index, scalar)
      }
    }
    return open
  }

  /// Returns what the scalars behind a quotation mark stand for, or nothing if they have an escape that is unfinished.
  private static func content(_ scalars: ArraySlice<Unicode.Scalar>, _ quote: Unicode.Scalar) -> String {
    var literal = String.UnicodeScalarView([quote])
    literal.append(contentsOf: scalars)
    literal.append(quote)
    guard let scanner = try? Scanner(String(literal)), case .text(let content) = scanner.token else {
      return ""
    }
    return content
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private static func place(atEndOf beginning: String) -> (Place?, relation: [String]) {
    guard var parser = try? PredicateParser(beginning, []) else { return (nil, []) }
    _ = try? parser.parse()
    return parser.scanner.token == .end ? (parser.place, parser.relation) : (nil, [])
  }
}

extension QueryPredicate.Constant {
  /// Returns a text as the predicate language spells it within these quotation marks.
  package static func literal(_ text: String, quote: Unicode.Scalar) -> String {
    var literal = String.UnicodeScalarView([quote])
    for scalar in text.unicodeScalars {
      if scalar == quote || scalar == "\\" {
        literal.append("\\")
        literal.append(scalar)
      } else if scalar.isUnsafeToDisplay {
        literal.append(contentsOf: scalar.displayEscape.unicodeScalars)
      } else {
        literal.append(scalar)
      }
    }
    literal.append(quote)
    return String(literal)
  }
}
