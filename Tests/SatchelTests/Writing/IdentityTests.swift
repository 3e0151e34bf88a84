import Foundation
import Satchel
import SatchelScenes
import Testing

@Suite struct IdentityTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws { scratch = try Scratch() }

  @Test func identities() throws {
    let bob = Identity(
      userID: "bob", displayName: "Bob", firstName: "B.", lastName: "Ob", emailAddress: "bob@example.org",
      phoneNumber: "+1", avatarURL: "https://example.org/b", followed: true, metadata: ["team": "red"])
    try store.write { tx in
      try tx.put(bob)
      #expect(try tx.fetch(Identity.all) == [bob])
    }
    #expect(try store.read { try $0.identity("bob") } == bob)
    #expect(try store.identifiers(Identity.filter { $0.displayName == "Bob" && $0.followed }) == ["bob"])
    var changed = bob
    changed.displayName = "Robert"
    changed.emailAddress = nil
    changed.metadata = ["team": "blue"]
    try store.write { tx in try tx.put(changed) }
    #expect(try store.fetch(Identity.all) == [changed])
    #expect(try store.count(Identity.filter { $0.displayName == "Bob" }) == 0)
    #expect(try store.count(Identity.filter { $0.metadata.team == "blue" && $0.emailAddress == nil }) == 1)
    try store.write { tx in
      failure(.invalidIdentifier) { try tx.put(Identity(userID: "")) }
      failure(.invalidKey) { try tx.put(Identity(userID: "bob", metadata: ["": "c"])) }
    }
    #expect(try store.fetch(Identity.all) == [changed])
    try expectSound(store)
  }

  /// What Layer's identities have besides names: a key, when they were last seen, and whether they can be reached.
  @Test func presence() throws {
    let noon = Date(timeIntervalSince1970: 1_800_000_000)
    let all: [Identity] = [
      Identity(userID: "ann", publicKey: "key", lastSeenAt: noon, presenceStatus: .away),
      Identity(userID: "bob", lastSeenAt: noon.addingTimeInterval(-60), presenceStatus: .offline),
      Identity(userID: "cem"),
      Identity(userID: "dora", followed: true, presenceStatus: .invisible),
    ]
    try store.write { tx in for identity in all { try tx.put(identity) } }
    #expect(try store.fetch(Identity.all) == all)
    let ann = try store.read { try $0.identity("ann") }
    #expect(ann?.lastSeenAt == noon)
    #expect(try store.identifiers(Identity.filter { $0.presenceStatus == .away }) == ["ann"])
    #expect(try store.identifiers(Identity.filter { $0.presenceStatus == nil }) == ["cem"])
    #expect(try store.identifiers(Identity.filter { $0.presenceStatus != .offline }).count == 3)
    #expect(try store.identifiers(Identity.filter { $0.lastSeenAt < noon }) == ["bob"])
    #expect(try store.identifiers(Identity.filter { $0.publicKey == "key" }) == ["ann"])
    #expect(
      try store.identifiers(Identity.order { $0.presenceStatus.descending }) == ["dora", "ann", "bob", "cem"])
    #expect(try store.identifiers(Identity.order { $0.lastSeenAt }) == ["cem", "dora", "bob", "ann"])
    let asked = try QueryPredicate(format: "presenceStatus IN {'away', 'invisible'} AND lastSeenAt != NULL")
    #expect(try store.identifiers(Identity.filter(asked)) == ["ann"])
    failure(.invalidValue) {
      _ = try store.count(Identity.filter(QueryPredicate(format: "presenceStatus = 'asleep'")))
    }
    try expectSound(store)
  }

  @Test func following() throws {
    try store.write { tx in
      try tx.setFollowed(false, "stranger")
      #expect(try tx.count(Identity.all) == 0)
      try tx.setFollowed(true, "stranger")
      try tx.put(Identity(userID: "bob"))
      try tx.setFollowed(true, "bob")
      #expect(try tx.count(Identity.filter { $0.followed }) == 2)
      try tx.setFollowed(false, "bob")
      failure(.invalidIdentifier) { try tx.setFollowed(true, "") }
    }
    #expect(
      try store.fetch(Identity.filter { $0.followed }) == [Identity(userID: "stranger", followed: true)])
    try expectSound(store)
  }

  @Test func sendersNamesComeFromIdentities() throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob", "carol"], id: "c")
      for (place, sender) in ["bob", "carol", "bob", "dora"].enumerated() {
        try tx.receive([], in: "c", from: Identity.ID(sender), id: Message.ID("\(place)"))
      }
      try tx.put(Identity(userID: "bob", displayName: "Zed"))
    }
    let byName = Message.order { $0.sender.displayName }
    #expect(try store.identifiers(byName) == ["1", "3", "0", "2"])
    #expect(try store.count(Message.filter { $0.sender.displayName == nil }) == 2)
    try store.write { tx in
      try tx.put(Identity(userID: "carol", displayName: "Ann"))
      try tx.put(Identity(userID: "bob", displayName: "Al"))
      #expect(try tx.fetch(byName).map(\.id) == ["3", "0", "2", "1"])
    }
    #expect(try store.identifiers(Message.filter { $0.sender.displayName.like("a%") }) == ["0", "1", "2"])
    #expect(try store.identifiers(Message.filter { $0.sender.displayName != "Al" }) == ["1", "3"])
  }
}
