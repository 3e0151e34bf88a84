/// Where the terms of an index answer a pattern: what an executor joins.
///
/// The leaves are sets of objects: those that have a term, or one of several. What is in ``reading(_:)`` is more than what matches: of these
/// objects the texts have to be read. ``upper`` and ``lower`` bound what matches from both sides by sets alone.
package indirect enum SearchExpression: Hashable, Sendable {
  case nothing, everything
  /// The objects that have this term.
  case term([UInt8])
  /// The objects that have a term that begins with this: a range of the dictionary.
  case prefix([UInt8])
  /// The objects that have a term that ends with this, or has it in it: a look at every term of the dictionary.
  case suffix([UInt8])
  case part([UInt8])
  /// The objects that have a term that was cut, which ends with ``TextTerms/cutMark``. As good as always there is none.
  case cutTerm
  case and([SearchExpression])
  case or([SearchExpression])
  case not(SearchExpression)
  /// The same, of the terms of one field.
  case field(String, SearchExpression)
  /// Of these objects, those that match have to be found by reading their texts.
  case reading(SearchExpression)

  /// Whether some texts may have to be read: otherwise ``upper`` and ``lower`` are what matches.
  package var needsReading: Bool {
    switch self {
    case .nothing, .everything, .term, .prefix, .suffix, .part, .cutTerm: false
    case .reading: true
    case .and(let parts), .or(let parts): parts.contains(where: \.needsReading)
    case .not(let part), .field(_, let part): part.needsReading
    }
  }

  /// All objects that match, and perhaps others.
  package var upper: SearchExpression { bound(isUpper: true) }
  /// Objects that match, perhaps not all: whoever finds one of them need not read it.
  package var lower: SearchExpression { bound(isUpper: false) }

  private func bound(isUpper: Bool) -> SearchExpression {
    switch self {
    case .nothing, .everything, .term, .prefix, .suffix, .part, .cutTerm: self
    case .reading(let part): isUpper ? part.bound(isUpper: true) : .nothing
    case .and(let parts): .all(parts.map { $0.bound(isUpper: isUpper) })
    case .or(let parts): .any(parts.map { $0.bound(isUpper: isUpper) })
    case .not(let part): .none(part.bound(isUpper: !isUpper))
    case .field(let name, let part):
      switch part.bound(isUpper: isUpper) {
      case .nothing: .nothing
      case .everything: .everything
      case let bound: .field(name, bound)
      }
    }
  }

  /// All of some expressions, in the shortest form.
  package static func all(_ parts: [SearchExpression]) -> SearchExpression {
    var unique: [SearchExpression] = []
    var seen: Set<SearchExpression> = [.everything]
    for part in parts where seen.insert(part).inserted { unique.append(part) }
    if seen.contains(.nothing) { return .nothing }
    return unique.isEmpty ? .everything : unique.count == 1 ? unique[0] : .and(unique)
  }

  /// One or more of some expressions, in the shortest form.
  static func any(_ parts: [SearchExpression]) -> SearchExpression {
    var unique: [SearchExpression] = []
    var seen: Set<SearchExpression> = [.nothing]
    for part in parts where seen.insert(part).inserted { unique.append(part) }
    if seen.contains(.everything) { return .everything }
    return unique.isEmpty ? .nothing : unique.count == 1 ? unique[0] : .or(unique)
  }

  static func none(_ part: SearchExpression) -> SearchExpression {
    switch part {
    case .nothing: .everything
    case .everything: .nothing
    default: .not(part)
    }
  }
}
