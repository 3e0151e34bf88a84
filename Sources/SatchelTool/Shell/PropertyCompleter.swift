import Satchel
import SatchelModel
import SatchelQuery
import TerminalInterface

/// Completes predicates and key paths: names from the tables by which queries look them up, words from the parser of the
/// language, values from the store.
struct PropertyCompleter {
  let queried: QueriedKind
  let names: StoreNames

  private var kind: ObjectKind { queried.kind }

  /// Which properties may be named.
  enum Wanted {
    case any, sortable, date, number

    /// - Parameter declared: The type with which a field of a record was declared.
    func takes(_ property: ObjectProperty, _ declared: FieldType? = nil) -> Bool {
      switch self {
      case .any: true
      case .sortable: property.isSortable && declared != .texts
      case .date: property.type == .date || declared == .date
      case .number:
        [.number, .custom].contains(property.type) && [nil, .integer, .number].contains(declared)
      }
    }
  }

  /// Completes a list of key paths that are joined by commas, such as sort keys.
  /// - Parameters:
  ///   - hasSigns: Whether `-` may stand before a path, and `each` before that.
  ///   - wanted: Which properties may be named.
  func paths(_ text: String, hasSigns: Bool, _ wanted: Wanted) -> Completion {
    let scalars = text.unicodeScalars
    var start = scalars.lastIndex(of: ",").map { scalars.index(after: $0) } ?? scalars.startIndex
    func pass(over text: String) {
      guard scalars[start...].starts(with: text.unicodeScalars) else { return }
      start = scalars.index(start, offsetBy: text.unicodeScalars.count)
    }
    while start < scalars.endIndex, scalars[start].properties.isWhitespace {
      start = scalars.index(after: start)
    }
    if hasSigns {
      pass(over: "each ")
      pass(over: "-")
    }
    let path = String(scalars[start...]).split(separator: ".", omittingEmptySubsequences: false).map(
      String.init)
    return Completion(
      start: scalars.distance(from: scalars.startIndex, to: start),
      candidates: properties(path.last ?? "", behind: path.dropLast(), wanted))
  }

  /// Completes a predicate.
  /// - Parameter quote: The mark around texts where none is typed yet.
  func predicate(_ text: String, quote: Unicode.Scalar) -> Completion {
    let beginning = PredicateBeginning(text)
    var completion = Completion(start: beginning.start, candidates: [])
    switch (beginning.place, beginning.word) {
    case (.comparison?, .name(let name, let names)):
      completion.candidates = properties(name, behind: names, of: beginning.relation, .any)
      // Between two words properties are what is usual.
      if names.isEmpty, !name.isEmpty { completion.candidates += words(beginning, name) }
    case (.operand(let path, let `operator`)?, let word):
      guard !needsBrace(text, beginning, `operator`) else {
        completion.candidates = [.init(name: "{", text: "{", end: "")]
        break
      }
      var (typed, mark) = ("", quote)
      if case .text(let text, let open) = word { (typed, mark) = (text, open) }
      if case .name(let name, let names) = word {
        guard names.isEmpty else { break }
        completion.candidates = recordWords(of: path, name, quote) ?? words(beginning, name)
        // Without a quotation mark it is no beginning of a text.
        guard name.isEmpty else { break }
      }
      if `operator` == .related {
        completion.candidates += Self.wordsOfRelations.filter { $0.begins(withTyped: typed) }.map {
          .init(name: $0, text: QueryPredicate.Constant.literal($0, quote: mark))
        }
      }
      completion.candidates += values(of: path, typed).map { value in
        .init(
          name: value.note.isEmpty ? value.text : "\(value.text) (\(value.note))",
          text: QueryPredicate.Constant.literal(value.text, quote: mark))
      }
    case (_?, .name(let name, let names)) where names.isEmpty:
      completion.candidates = words(beginning, name)
    default: break
    }
    return completion
  }

  /// The kinds and directions of relations between users that have names of their own. The users themselves are values of the path.
  private static let wordsOfRelations =
    [RelationKind.following, .friend, .blocked].map(\.rawValue) + RelationDirection.allCases.map(\.rawValue)

  private func words(_ beginning: PredicateBeginning, _ typed: String) -> [Completion.Candidate] {
    beginning.words(of: kind).filter { $0.begins(withTyped: typed) }.map { .init(name: $0, text: $0) }
  }

  /// Whether a list has to begin before its values.
  private func needsBrace(
    _ text: String, _ beginning: PredicateBeginning, _ operator: QueryPredicate.Operator
  ) -> Bool {
    guard [.in, .notIn, .between].contains(`operator`) else { return false }
    let before = text.unicodeScalars.prefix(beginning.start).last { !$0.properties.isWhitespace }
    return before != "{" && before != ","
  }

  // MARK: Properties

  /// - Parameter relation: The path from the object to where the typed one begins.
  private func properties(
    _ typed: String, behind names: [String], of relation: [String] = [],
    _ wanted: Wanted
  ) -> [Completion.Candidate] {
    let path = relation + names
    func spelled(_ name: String) -> String { SortKey(names + [name]).description }
    if let type = queried.recordType {
      return fields(typed, behind: path, of: type, wanted).map { name, leadsOn in
        .init(name: name, text: spelled(name) + (leadsOn ? "." : ""), end: leadsOn ? "" : " ")
      }
    }
    switch ObjectProperty.continuations(of: path, of: kind) {
    case nil: return []
    case .names(let found)?:
      return found.compactMap { found in
        guard found.name.begins(withTyped: typed) else { return nil }
        let isProperty = found.property.map { wanted.takes($0) } ?? false
        let leadsOn = found.leadsOn && leads(path + [found.name], wanted)
        guard isProperty || leadsOn else { return nil }
        let text = spelled(found.name) + (isProperty ? "" : ".")
        return .init(name: found.name, text: text, end: leadsOn ? "" : " ")
      }
    case .metadata(let owner, let keys)?:
      return self.names.keys(of: QueriedKind(owner), behind: keys).compactMap { key, leadsOn in
        guard key.begins(withTyped: typed) else { return nil }
        return .init(name: key, text: spelled(key) + (leadsOn ? "." : ""), end: leadsOn ? "" : " ")
      }
    case .users?: return self.names.users(typed).map { .init(name: $0.text, text: spelled($0.text)) }
    }
  }

  /// Whether a wanted property is somewhere behind a path.
  private func leads(_ path: [String], _ wanted: Wanted) -> Bool {
    func hasOne(behind name: String) -> Bool {
      (try? ObjectProperty(path: path + [name], of: kind)).map { wanted.takes($0) } ?? false
    }
    return switch ObjectProperty.continuations(of: path, of: kind) {
    case nil: false
    case .names(let found)?:
      found.contains {
        $0.property.map { wanted.takes($0) } ?? false || $0.leadsOn && leads(path + [$0.name], wanted)
      }
    // Any name will do there.
    case .metadata?, .users?: hasOne(behind: "name")
    }
  }

  // MARK: Values

  private func values(of path: [String], _ typed: String) -> [StoreNames.Name] {
    guard let property = try? ObjectProperty(path: path, of: kind) else { return [] }
    if case .enumeration(let enumeration) = property.type {
      return enumeration.names.filter { $0.begins(withTyped: typed) }.map { .init(text: $0) }
    }
    if let type = queried.recordType { return names.values(of: property, type, typed) }
    return values(of: property, kind, typed)
  }

  /// Returns values that objects in the store have; of messages and their parts there are too many to look.
  private func values(of property: ObjectProperty, _ kind: ObjectKind, _ typed: String) -> [StoreNames.Name] {
    let isText = property.type == .text || property.type == .custom
    switch (property.relations.first, property.field) {
    case (.message?, _):
      let inner = ObjectProperty(path: property.path.dropFirst(), of: .messages)
      return inner.map { values(of: $0, .messages, typed) } ?? []
    case (_, .senderUserID), (_, .participants), (_, .userID): return names.users(typed)
    case (.sender?, .displayName): return names.values(of: ["displayName"], QueriedKind(.identities), typed)
    case (nil, .conversation), (.conversation?, .identifier): return names.conversations(typed)
    case (nil, .identifier) where kind == .conversations: return names.conversations(typed)
    case (.conversation?, let field) where property.relations.count == 1 && isText:
      return names.values(of: field.path, QueriedKind(.conversations), typed)
    case (nil, let field) where (kind == .conversations || kind == .identities) && isText:
      return names.values(of: field.path, QueriedKind(kind), typed)
    default: return []
    }
  }
}

extension ObjectProperty {
  fileprivate init?(path: ArraySlice<String>, of kind: ObjectKind) {
    guard let property = try? ObjectProperty(path: Array(path), of: kind) else { return nil }
    self = property
  }
}

extension String {
  /// Whether the text begins with what somebody has typed in any case.
  func begins(withTyped typed: String) -> Bool {
    typed.unicodeScalars.count <= unicodeScalars.count
      && zip(typed.unicodeScalars, unicodeScalars).allSatisfy {
        $0 == $1 || $0.properties.lowercaseMapping == $1.properties.lowercaseMapping
      }
  }
}
