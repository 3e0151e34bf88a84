import SatchelModel
import Testing

/// What may stand behind the names of a path: the same that the paths of queries are looked up in.
@Suite struct ContinuationTests {
  /// Every name that is offered is a property, or leads on to some; every property that there is, is offered.
  @Test(arguments: ObjectKind.allCases) func leadToEveryProperty(_ kind: ObjectKind) throws {
    var found: Set<ObjectProperty> = []
    var paths: [[String]] = [[]]
    while let path = paths.popLast() {
      switch ObjectProperty.continuations(of: path, of: kind) {
      case .names(let names)?:
        #expect(!names.isEmpty, "\(path)")
        #expect(Set(names.map(\.name)).count == names.count, "\(path)")
        for name in names {
          let whole = path + [name.name]
          #expect(name.property == (try? ObjectProperty(path: whole, of: kind)), "\(whole)")
          #expect(name.property != nil || name.leadsOn, "\(whole)")
          if let property = name.property { found.insert(property) }
          if name.leadsOn { paths.append(whole) }
        }
      case .metadata(let owner, let keys)?:
        #expect(keys == [])
        #expect(
          ObjectProperty.continuations(of: path + ["a", "b"], of: kind)
            == .metadata(of: owner, behind: ["a", "b"]))
        #expect(
          try ObjectProperty(path: path + ["a", "b"], of: kind).field
            == .metadataValue(MetadataPath(["a", "b"])))
      case .users?:
        #expect(try ObjectProperty(path: path + ["bob"], of: kind).field == .recipientStatus("bob"))
      case nil: Issue.record("nothing behind \(path)")
      }
    }
    let spellings =
      ObjectField.named.map { [$0.description.name] }
      + ObjectField.named.flatMap { field in
        ["conversation", "lastMessage", "message", "parts", "sender"].map { [$0, field.description.name] }
      }
    for path in spellings {
      guard let property = try? ObjectProperty(path: path, of: kind) else { continue }
      // Of a record, every other name is that of a field.
      if case .recordValue = property.field { continue }
      #expect(found.contains(property), "\(path)")
    }
  }

  @Test func saysWhoseMetadata() {
    #expect(
      ObjectProperty.continuations(of: ["message", "conversation", "metadata"], of: .parts)
        == .metadata(of: .conversations, behind: []))
    #expect(ObjectProperty.continuations(of: ["isUnread"], of: .messages) == nil)
    #expect(ObjectProperty.continuations(of: ["nothing"], of: .messages) == nil)
    #expect(ObjectProperty.continuations(of: ["recipientStatus", "bob"], of: .messages) == nil)
  }
}
