/// Relations between users, which are records.
enum Relations {
  static let type: ByteString = "_relation"
  static let kinds: [ByteString] = ["following", "friend", "team"]
  static let directions = ["outward", "inward", "mutual"]

  /// What the record of an edge is called, and, with the users exchanged, what its field `inverse` has.
  static func name(_ kind: ByteString, _ from: ByteString, _ to: ByteString) -> ByteString {
    let users = [from, to].map { user in
      user.utf8.flatMap { byte -> [UInt8] in
        guard byte == 0x2F || byte == 0x25 || byte > 0x7F else { return [byte] }
        let digits = String(byte, radix: 16, uppercase: true)
        return Array(("%" + (digits.count == 1 ? "0" : "") + digits).utf8)
      }
    }
    return ByteString(utf8: kind.utf8 + [0x2F] + users[0] + [0x2F] + users[1])
  }

  static func fields(_ kind: ByteString, _ from: ByteString, _ to: ByteString) -> [ByteString: MetadataTree] {
    [
      "kind": .text(kind), "from": .reference(ModelReference(type: "identities", name: from)),
      "to": .reference(ModelReference(type: "identities", name: to)), "inverse": .text(name(kind, to, from)),
    ]
  }

  /// The kind, the users and the record of an edge; nil of another record.
  static func edge(_ record: ModelRecord) -> (kind: ByteString, from: ByteString, to: ByteString)? {
    guard record.id.type == type, case .text(let kind)? = record.values["kind"],
      case .reference(let from)? = record.values["from"], case .reference(let to)? = record.values["to"]
    else { return nil }
    return (kind, from.name, to.name)
  }
}

extension Predicate.Comparison {
  /// What the operand says: a kind, or a list of it, a direction and a user. Two are friends if each is one of the other.
  func relation(of user: ByteString) throws -> (kind: ByteString, direction: ByteString, user: ByteString) {
    let literals: [Predicate.Literal] = if case .list(let list) = operand { list } else { [operand] }
    let texts = literals.compactMap { if case .string(let text) = $0 { text } else { nil } }
    guard texts.count == literals.count, (1...3).contains(texts.count) else {
      throw unsupported("a kind, a direction and a user are needed")
    }
    let usual: ByteString = texts[0] == "friend" ? "mutual" : "outward"
    return (texts[0], texts.count > 1 ? texts[1] : usual, texts.count > 2 ? texts[2] : user)
  }

  /// Whether a user, a reference to one, or some participant is at the other end of such edges.
  func relationTest(on column: Column, in snapshot: Snapshot) throws -> ValueTest {
    let (kind, direction, user) = try relation(of: snapshot.user)
    let edges = snapshot.records[Relations.type, default: []].compactMap(Relations.edge).filter {
      $0.kind == kind
    }
    let there = Set(edges.filter { $0.from == user }.map(\.to))
    let back = Set(edges.filter { $0.to == user }.map(\.from))
    let users: Set<ByteString> =
      switch direction {
      case "outward": there
      case "inward": back
      case "mutual": there.intersection(back)
      default: throw unsupported("no such direction")
      }
    let isExact = column.type == .exact
    return { rank in
      switch column.values[rank] {
      case .string(let user): isExact && users.contains(user)
      case .reference(let reference): reference.type == "identities" && users.contains(reference.name)
      case .users(let members): !members.isDisjoint(with: users)
      default: false
      }
    }
  }
}
