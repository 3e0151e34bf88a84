import SatchelModel
import SatchelQuery
import SatchelRecords

extension SkygearPredicate {
  /// The names that the SDKs have for kinds of relations, and those of a store. Any other name is itself.
  private static let kinds = ["_follow": RelationKind.following, "_friend": RelationKind.friend]

  /// Returns the predicate of `SKYRelationPredicate`, the only function that is one: a key path that ends at a user, and a relation to the
  /// store's user.
  static func relation(_ list: [SkygearJSON]) throws -> QueryPredicate {
    guard list.count > 1, case .text("userRelation") = list[1] else { throw refusedFunction(list) }
    guard list.count == 4 else {
      throw SkygearError.syntax(
        "a key path and a relation behind userRelation", found: "\(list.count - 2) values")
    }
    guard case .object(let members) = list[3], case .text("relation")? = members["$type"],
      case .text(let name)? = members["$name"], case .text(let way)? = members["$direction"]
    else {
      throw SkygearError.syntax(
        "{\"$type\": \"relation\", \"$name\": \"_follow\", \"$direction\": \"outward\"}", found: list[3].kind)
    }
    let kind = kinds[name] ?? RelationKind(name)
    guard kind.isValid else { throw SkygearError.syntax(RelationKind.rule, found: "$name '\(name)'") }
    guard let direction = RelationDirection(rawValue: way) else {
      throw SkygearError.syntax("outward, inward or mutual", found: "$direction '\(way)'")
    }
    let operand: QueryPredicate.Operand =
      direction == kind.standardDirection
      ? .text(kind.rawValue) : .list([.text(kind.rawValue), .text(direction.rawValue)])
    return .comparison(QueryPredicate.Comparison(try path(list[2]), .related, operand))
  }
}
