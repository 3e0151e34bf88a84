import Satchel
import SatchelScenes
import Testing

/// The samples of the chapter "Metadata" in Layer's guide: what they write, what they read, and what finds it.
@Suite struct LayerMetadataTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }
  /// The chapter's dictionary.
  private static let metadata: Metadata = [
    "title": "My Conversation",
    "theme": ["background_color": "333333", "text_color": "F8F8EC", "link_color": "21AAE1"],
    "created_at": "Dec, 01, 2014", "img_url": "/path/to/img/url",
  ]

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c", metadata: ["title": "Old", "kept": "yes"])
      try tx.send([.text("hello")], to: "c")
      // -setValuesForMetadataKeyPathsWithDictionary:merge:YES
      try tx.mergeMetadata(Self.metadata, into: .conversation("c"))
    }
  }

  /// -valueForKey: and -valueForKeyPath: of the metadata.
  @Test func valuesAreRead() throws {
    let metadata = try #require(try store.conversation("c")).metadata
    #expect(metadata["title"] == "My Conversation")
    #expect(metadata["theme.background_color"] == "333333")
    #expect(metadata["kept"] == "yes")
  }

  @Test func valuesAreFound() throws {
    try store.answers(
      [
        Conversation.filter { $0.metadata.title == "My Conversation" },
        Conversation.filter { $0.metadata.theme.background_color == "333333" },
        Conversation.filter { $0.metadata["theme.background_color"] == "333333" },
        Query(format: "metadata.title = %@", "My Conversation"),
        Query(format: "metadata.theme.background_color = '333333'"),
        Query(format: "metadata.created_at = 'Dec, 01, 2014' AND metadata.img_url BEGINSWITH '/path'"),
      ], ["c"])
    try store.answers([Query<Conversation>(format: "metadata.title = 'Old'")], [])
  }

  /// -setValue:forMetadataAtKeyPath: changes one value, -deleteValueForMetadataAtKeyPath: removes one.
  @Test func oneValueChanges() throws {
    try store.write { tx in
      try tx.setMetadata("FFFFFF", at: "theme.background_color", of: .conversation("c"))
      try tx.removeMetadata(at: "theme.link_color", of: .conversation("c"))
    }
    try store.answers(
      [
        Conversation.filter {
          $0.metadata.theme.background_color == "FFFFFF" && $0.metadata.theme.link_color == nil
            && $0.metadata.theme.text_color == "F8F8EC"
        },
        Query(
          format:
            "metadata.theme.background_color = %@ AND metadata.theme.link_color = %@ AND metadata.theme.text_color = %@",
          "FFFFFF", nil, "F8F8EC"),
      ], ["c"])
    try store.answers([Query<Conversation>(format: "metadata.theme.background_color = '333333'")], [])
  }

  /// -setValuesForMetadataKeyPathsWithDictionary:merge:NO leaves nothing else.
  @Test func allValuesAreReplaced() throws {
    try store.write { try $0.replaceMetadata(with: ["title": "New"], of: .conversation("c")) }
    try store.answers(
      [
        Conversation.filter { $0.metadata == ["title": "New"] },
        Query(format: "metadata = %@", ["title": "New"]), Query(format: "metadata = {'title': 'New'}"),
      ], ["c"])
  }

  /// `newConversationWithParticipants:options:`, with LYRConversationOptionsMetadataKey and, in later versions, `options.metadata`. The
  /// conversation has it when it is told of.
  @Test func aConversationIsCreatedWithMetadata() async throws {
    let observer = try await store.observe("new" as Conversation.ID)
    var changes = observer.changes.makeAsyncIterator()
    try await store.write { tx in
      try tx.createConversation(with: ["USER-IDENTIFIER"], id: "new", metadata: Self.metadata)
      try tx.send([.text("hello")], to: "new")
    }
    guard case .created(let created)? = await changes.next() else {
      Issue.record("nothing was created")
      return
    }
    #expect(created.metadata == Self.metadata)
    try store.answers([Query<Conversation>(format: "metadata = %@", Self.metadata)], ["new"])
    // A distinct one that is there keeps its own.
    let distinct = try await store.write { tx in
      let first = try tx.conversation(with: ["USER_ID"], metadata: Self.metadata)
      return [first, try tx.conversation(with: ["USER_ID"], metadata: ["title": "Other"])]
    }
    #expect(distinct[0].id == distinct[1].id && distinct[1].metadata == Self.metadata)
  }

  /// "Keys must be alphanumeric and may include hyphens and underscores, but cannot contain spaces", in a store that is opened so.
  @Test func keysThatLayerTakes() throws {
    try store.write { try $0.setMetadata("v", at: ["a key"], of: .conversation("c")) }
    try store.answers([Query<Conversation>(format: "metadata.'a key' = 'v'")], ["c"])
    let strict = try scratch.reopened(.names)
    defer { strict.close() }
    try strict.write { try $0.setMetadata("v", at: "a-key_1", of: .conversation("c")) }
    let error = failure(.invalidKey) {
      try strict.write { try $0.setMetadata("v", at: ["a key"], of: .conversation("c")) }
    }
    #expect(error?.context.values.contains { $0.contains("a key") } == true)
  }

  /// "A maximum of 2KB of data under each key" is Layer's; "last writer wins" is the order of the writes.
  @Test func longTextsAndLastWriters() throws {
    let text = String(repeating: "x", count: 2_048)
    try store.write { try $0.setMetadata(.text(text), at: "title", of: .conversation("c")) }
    try store.answers([Query<Conversation>(format: "metadata.title = %@", text)], ["c"])
    let other = try scratch.reopened()
    defer { other.close() }
    try other.write { try $0.setMetadata("theirs", at: "title", of: .conversation("c")) }
    try store.write { try $0.setMetadata("mine", at: "title", of: .conversation("c")) }
    #expect(try other.conversation("c")?.metadata["title"] == "mine")
    #expect(try store.conversation("c")?.metadata["theme.text_color"] == "F8F8EC")
  }
}
