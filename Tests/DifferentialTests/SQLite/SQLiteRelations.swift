/// Relations between users: their edges are records, whose fields are rows.
extension SQLiteTranslation {
  /// The condition that a user, who need not be there, is at the other end of edges.
  func related(_ comparison: Predicate.Comparison, _ property: SQLiteProperty) throws -> SQL {
    guard comparison.quantifier == nil else { throw Untranslated("a quantifier of relations") }
    let references = try others(comparison)
    // A reference is the type, a byte of 0 and the identifier.
    let users: SQL = "SELECT substr(value, 12) FROM (\(references))"
    switch property.place {
    case .value(let value): return "((\(value) IN (\(users))) IS TRUE)"
    case .metadata(let owner, let path):
      return """
        EXISTS (SELECT 1 FROM metadata e WHERE e.owner = \(owner) AND e.path = \(bind: .bytes(path))
          AND e.type = \(MetadataRow.Kind.reference.sql) AND e.value IN (\(references)))
        """
    case .participants(let conversation):
      return "EXISTS (SELECT 1 FROM participant WHERE conversation = \(conversation) AND user IN (\(users)))"
    case .parts, .allMetadata: throw Untranslated("a property that is no user")
    }
  }

  /// The references to the users at the other end.
  private func others(_ comparison: Predicate.Comparison) throws -> SQL {
    let (kind, direction, user) = try comparison.relation(of: user)
    let reference = SQLValue.bytes(ModelReference(type: "identities", name: user).bytes)
    func select(_ other: ByteString, own: ByteString) -> SQL {
      func path(_ name: ByteString) -> SQLValue { .bytes(SQLiteTables.path([name])) }
      return """
        SELECT o.value FROM record r
          JOIN metadata k ON k.owner = r.key AND k.path = \(bind: path("kind"))
          JOIN metadata u ON u.owner = r.key AND u.path = \(bind: path(own))
          JOIN metadata o ON o.owner = r.key AND o.path = \(bind: path(other))
        WHERE r.type = \(bind: .bytes(Relations.type)) AND k.value = \(bind: .bytes(kind))
          AND u.value = \(bind: reference)
        """
    }
    switch direction {
    case "outward": return select("to", own: "from")
    case "inward": return select("from", own: "to")
    case "mutual": return "\(select("to", own: "from")) INTERSECT \(select("from", own: "to"))"
    default: throw Untranslated("another direction")
    }
  }
}
