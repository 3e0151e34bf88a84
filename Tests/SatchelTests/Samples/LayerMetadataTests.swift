import Satchel
import Testing

/// The samples of the chapter "Metadata" in Layer's guide: what they write, what they read, and what finds it.
@Suite struct LayerMetadataTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c", metadata: ["title": "Old", "kept": "yes"])
      try tx.send([.text("hello")], to: "c")
      // -setValuesForMetadataKeyPathsWithDictionary:merge:YES
      try tx.mergeMetadata(
        [
          "title": "My Conversation",
          "theme": ["background_color": "333333", "text_color": "F8F8EC", "link_color": "21AAE1"],
          "created_at": "Dec, 01, 2014", "img_url": "/path/to/img/url",
        ], into: .conversation("c"))
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
}
