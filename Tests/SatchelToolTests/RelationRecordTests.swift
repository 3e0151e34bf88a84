import Foundation
import Satchel
import Testing

/// Relations between users at the command line: their edges are records, and RELATED goes with every query.
@Suite struct RelationRecordTests {
  private let directory: Tool.Directory
  private let store: String

  init() throws {
    directory = try Tool.Directory()
    store = try Sample.make(in: directory)
    let opened = try MessageStore(existingAt: store)
    try opened.enable(.relations)
    try opened.write { tx in
      for (kind, from, to) in [("following", "alice", "bob"), ("friend", "bob", "alice")] {
        try tx.save(
          Record(
            StoreFeature.relations.recordType, name: "\(kind)/\(from)/\(to)",
            [
              "kind": .text(kind), "from": .reference(Identity.ID(from)), "to": .reference(Identity.ID(to)),
              "inverse": .text("\(kind)/\(to)/\(from)"),
            ]))
      }
    }
    opened.close()
  }

  private func count(_ kind: String, _ predicate: String) throws -> String {
    let result = try Tool.run("count", store, kind, "--where", predicate)
    #expect(result.status == 0 && result.errors == "", "\(predicate): \(result.errors)")
    return result.output
  }

  @Test func theyAreAskedFor() throws {
    #expect(try count("messages", "sender RELATED 'following'") == "2\n")
    #expect(try count("messages", "NOT sender RELATED 'following'") == "1\n")
    #expect(try count("messages", "sender RELATED {'friend', 'inward'}") == "2\n")
    #expect(try count("messages", "sender RELATED 'friend'") == "0\n")
    #expect(try count("conversations", "participants RELATED {'friend', 'outward', 'bob'}") == "1\n")
    #expect(try count("identities", "userID RELATED 'following'") == "1\n")
    #expect(try count("_relation", "to RELATED 'following' AND kind = 'following'") == "1\n")
    let plan = try Tool.run("explain", store, "messages", "--where", "sender RELATED 'following'")
    #expect(plan.status == 0 && plan.output.contains("sender"), "\(plan.output) \(plan.errors)")
    let wrong = try Tool.run("count", store, "messages", "--where", "sender RELATED {'following', 'up'}")
    #expect(wrong.status == 1 && wrong.errors.contains("'mutual'"), "\(wrong.errors)")
    #expect(try Tool.run("verify", store).status == 0)
  }

  @Test func aStoreThatKeepsNoneSaysHowToSwitchThemOn() throws {
    let other = try Tool.Directory()
    let result = try Tool.run(
      "count", Sample.make(in: other), "messages", "--where", "sender RELATED 'following'")
    #expect(result.status == 1 && result.errors.contains("store.enable(.relations)"), "\(result.errors)")
    #expect(!result.errors.contains("other objects"))
  }

  @Test func theyGoOutAndIn() throws {
    let lines = try Tool.run("export", store).lines
    let copy = directory("copy")
    let result = try Tool.run("import", copy, directory.write("chat.jsonl", lines: lines), "--as", "alice")
    #expect(result.status == 0, "\(result.errors)")
    let edges = lines.filter { $0.contains("_relation") }
    #expect(
      try Tool.run("export", copy).lines.filter { $0.contains("_relation") } == edges && edges.count == 3)
    // An edge that says two things of itself.
    let other = try directory.write(
      "other.jsonl",
      lines: [SampleRecords.header] + edges.map { $0.replacing("following/alice/bob", with: "x") })
    let refused = try Tool.run("import", store, other)
    #expect(refused.status != 0 && refused.errors.contains("following/alice/bob"), "\(refused.errors)")
    // Where they are off, the error says how to switch them on.
    let elsewhere = try Tool.Directory()
    let off = try Sample.make(in: elsewhere)
    let error = try Tool.run("count", off, "messages", "--where", "sender RELATED 'following'")
    #expect(error.status == 1 && error.errors.contains("store.enable(.relations)"), "\(error.errors)")
    withExtendedLifetime(elsewhere) {}
  }
}
