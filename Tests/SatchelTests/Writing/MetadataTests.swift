import Foundation
import Satchel
import SatchelScenes
import Testing

@Suite struct MetadataTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.send([], to: "c", id: "m")
      try tx.announce([], from: "service", id: "a")
      try tx.put(Identity(userID: "i"))
    }
  }

  static let owners: [MetadataOwner] = [
    .conversation("c"), .message("m"), .announcement("a"), .identity("i"),
  ]

  func metadata(_ owner: MetadataOwner, _ snapshot: StoreSnapshot) throws -> Metadata {
    switch owner {
    case .conversation(let id): try #require(try snapshot.conversation(id)).metadata
    case .message(let id): try #require(try snapshot.message(id)).metadata
    case .announcement(let id): try #require(try snapshot.announcement(id)).metadata
    case .identity(let id): try #require(try snapshot.identity(id)).metadata
    }
  }

  /// How many objects of the owner's kind have a text at a key path, and that the index agrees with the records.
  func count(_ owner: MetadataOwner, _ keyPath: String, _ text: String) throws -> Int {
    switch owner {
    case .conversation: try store.count(Conversation.filter { $0.metadata[keyPath] == text })
    case .message: try store.count(Message.filter { $0.metadata[keyPath] == text })
    case .announcement: try store.count(Announcement.filter { $0.metadata[keyPath] == text })
    case .identity: try store.count(Identity.filter { $0.metadata[keyPath] == text })
    }
  }

  @Test(arguments: owners) func edits(_ owner: MetadataOwner) throws {
    func expect(_ expected: Metadata, sourceLocation: SourceLocation = #_sourceLocation) throws {
      #expect(try store.read { try metadata(owner, $0) } == expected, sourceLocation: sourceLocation)
    }
    try store.write { tx in
      try tx.setMetadata("red", at: "theme.color.name", of: owner)
      #expect(
        try tx.read { try metadata(owner, $0) } == ["theme": ["color": ["name": "red"]]],
        "dictionaries on the way are made")
    }
    #expect(try count(owner, "theme.color.name", "red") == 1)
    try store.write { tx in try tx.setMetadata("blue", at: "theme.color.name", of: owner) }
    #expect(try count(owner, "theme.color.name", "red") == 0)
    #expect(try count(owner, "theme.color.name", "blue") == 1)
    try store.write { tx in
      try tx.mergeMetadata(["theme": ["size": "9"], "title": "T"], into: owner)
    }
    try expect(["theme": ["color": ["name": "blue"], "size": "9"], "title": "T"])
    try store.write { tx in try tx.mergeMetadata(["theme": ["color": "plain"]], into: owner) }
    try expect(["theme": ["color": "plain", "size": "9"], "title": "T"])
    try store.write { tx in try tx.setMetadata(["x": "1", "y": "2"], at: "theme", of: owner) }
    try expect(["theme": ["x": "1", "y": "2"], "title": "T"])
    // A text on the way gives way to a dictionary: the last writer wins.
    try store.write { tx in try tx.setMetadata("deep", at: "title.sub", of: owner) }
    try expect(["theme": ["x": "1", "y": "2"], "title": ["sub": "deep"]])
    try store.write { tx in
      try tx.removeMetadata(at: "theme.x", of: owner)
      try tx.removeMetadata(at: "nothing.there", of: owner)
      try tx.removeMetadata(at: "theme.y.below", of: owner)
    }
    try expect(["theme": ["y": "2"], "title": ["sub": "deep"]])
    #expect(try count(owner, "theme.x", "1") == 0)
    try store.write { tx in try tx.replaceMetadata(with: ["only": "this"], of: owner) }
    try expect(["only": "this"])
    #expect(try count(owner, "theme.y", "2") == 0)
    try store.write { tx in try tx.removeMetadata(at: "only", of: owner) }
    try expect([:])
    try expectSound(store)
  }

  @Test(arguments: owners) func wrongEditsChangeNothing(_ owner: MetadataOwner) throws {
    let before: Metadata = ["a": ["b": "text"]]
    let long = String(repeating: "x", count: 2049)
    try store.write { tx in
      try tx.replaceMetadata(with: before, of: owner)
      func refused(
        _ code: SatchelError.Code, _ keyPath: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
      ) throws {
        let error = failure(code, sourceLocation: sourceLocation, body)
        #expect(error?.context["keyPath"] == keyPath, sourceLocation: sourceLocation)
        #expect(try tx.read { try metadata(owner, $0) } == before, sourceLocation: sourceLocation)
      }
      for (key, spelled) in [
        ("", "''"), (".", "''.''"), ("a..b", "a.''.b"), ("a.", "a.''"), (".a", "''.a"), ("a\0", "'a\\u{0}'"),
      ] {
        try refused(.invalidKey, spelled) { try tx.setMetadata("x", at: key, of: owner) }
        try refused(.invalidKey, spelled) { try tx.removeMetadata(at: key, of: owner) }
      }
      try refused(.invalidValue, "a.c") { try tx.setMetadata(.text(long), at: "a.c", of: owner) }
      try refused(.invalidValue, "a.c.d") { try tx.setMetadata(["d": .text(long)], at: "a.c", of: owner) }
      try refused(.invalidKey, "a.c.''") { try tx.setMetadata(["": "x"], at: "a.c", of: owner) }
      try refused(.invalidKey, "z.'é\\u{0}'") {
        try tx.mergeMetadata(["good": "1", "z": ["é\0": "x"]], into: owner)
      }
      try refused(.invalidValue, "b") {
        try tx.replaceMetadata(with: ["a": "1", "b": .text(long)], of: owner)
      }
      let deep = (0..<65).reduce(MetadataValue.text("x")) { inner, _ in ["k": inner] }
      failure(.invalidValue) { try tx.setMetadata(deep, at: "k", of: owner) }
      failure(.invalidKey) {
        try tx.setMetadata("x", at: Array(repeating: "k", count: 65).joined(separator: "."), of: owner)
      }
      // A dictionary that fits by itself, but not below what is there already.
      let fits = (0..<60).reduce(MetadataValue.text("x")) { inner, _ in ["k": inner] }
      failure(.invalidValue) { try tx.setMetadata(fits, at: "a.b.c.d.e.f", of: owner) }
      try refused(.invalidKey, "") { try tx.setMetadata("x", at: [], of: owner) }
      // The last that is allowed.
      try tx.setMetadata(.text(String(long.dropLast())), at: "last", of: owner)
    }
    #expect(try count(owner, "last", String(long.dropLast())) == 1)
    #expect(try count(owner, "a.b", "text") == 1)
    try expectSound(store)
  }

  @Test func unknownOwners() throws {
    try store.write { tx in
      func edit(_ owner: MetadataOwner) throws { try tx.setMetadata("x", at: "k", of: owner) }
      #expect(
        failure(.unknownConversation) { try edit(.conversation("no")) }?.context["conversation"] == "no")
      #expect(failure(.unknownMessage) { try edit(.message("no")) }?.context["message"] == "no")
      failure(.unknownMessage) { try edit(.announcement("no")) }
      #expect(failure(.unknownIdentity) { try edit(.identity("no")) }?.context["identity"] == "no")
    }
  }

  @Test func equalTextsOfDifferentSpelling() throws {
    let composed = "Caf\u{E9}"
    let decomposed = "Cafe\u{301}"
    for owner in Self.owners {
      try store.write { tx in try tx.setMetadata(.text(decomposed), at: "name", of: owner) }
      #expect(try count(owner, "name", composed) == 1)
      #expect(try count(owner, "name", decomposed) == 1)
      let kept = try #require(try store.read { try metadata(owner, $0)["name"] })
      #expect(Array(kept.utf8) == Array(decomposed.utf8), "the record gives back what it was given")
      // Another spelling is the same value, but other bytes.
      try store.write { tx in try tx.setMetadata(.text(composed), at: "name", of: owner) }
      let new = try #require(try store.read { try metadata(owner, $0)["name"] })
      #expect(Array(new.utf8) == Array(composed.utf8))
    }
    #expect(
      try store.count(Conversation.filter { $0.metadata == ["name": .text(decomposed)] }) == 1)
    #expect(
      try store.count(Conversation.filter { $0.metadata.name.beginsWith("cafe\u{301}", .caseInsensitive) })
        == 1)
    try expectSound(store)
  }
}
