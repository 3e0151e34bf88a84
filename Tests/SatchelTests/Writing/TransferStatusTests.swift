import Satchel
import SatchelScenes
import Testing

/// How far the contents of parts have got: what is written is read, asked for, sorted by, watched and told by the feed.
@Suite struct TransferStatusTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }
  let lunch: Conversation.ID

  init() throws {
    scratch = try Scratch()
    lunch = try scratch.store.write { tx in
      let lunch = try tx.createConversation(with: ["bob"], id: "lunch").id
      try tx.send([.text("a")], to: lunch, id: "text")
      try tx.send(
        [
          .text("see", transferStatus: .uploading),
          .data(Array(repeating: 7, count: 5_000), mimeType: "image/png", transferStatus: .awaitingUpload),
        ], to: lunch, id: "picture")
      try tx.receive(
        [.url("https://example.org/v", mimeType: "video/mp4", size: 9, transferStatus: .readyForDownload)],
        in: lunch, from: "bob", id: "video")
      try tx.announce(
        [.url("https://example.org/w", mimeType: "video/mp4", transferStatus: .downloading)], from: "bob",
        id: "news")
      return lunch
    }
  }

  private func statuses(of id: Message.ID) throws -> [TransferStatus] {
    try #require(try store.fetch(Message.filter { $0.identifier == id }).first).parts.map(\.transferStatus)
  }

  @Test func partsAreCompleteUnlessTheDraftSaysOtherwise() throws {
    #expect(try statuses(of: "text") == [.complete])
    #expect(try statuses(of: "picture") == [.uploading, .awaitingUpload])
    #expect(try statuses(of: "video") == [.readyForDownload])
    let news = try #require(try store.fetch(Announcement.all).first)
    #expect(news.parts.map(\.transferStatus) == [.downloading])
    try expectSound(store)
  }

  @Test func updatesChangeTheNamedPartsAlone() throws {
    let content = try #require(try store.fetch(MessagePart.filter { $0.mimeType == "image/png" }).first)
    try store.write { tx in
      try tx.update("picture" as Message.ID) { $0.transferStatus[1] = .complete }
      try tx.update("news" as Announcement.ID) { $0.transferStatus = [0: .complete] }
    }
    #expect(try statuses(of: "picture") == [.uploading, .complete])
    #expect(try store.fetch(Announcement.all).first?.parts.first?.transferStatus == .complete)
    // The content stays where it is.
    #expect(try store.read { try $0.content(of: content.id) } == Array(repeating: 7, count: 5_000))
    try store.write { tx in
      for index in [-1, 2, Int.max, Int.min] {
        let error = failure(.invalidValue) {
          try tx.update("picture" as Message.ID) {
            $0.isUnread = true
            $0.transferStatus = [0: .complete, index: .complete]
          }
        }
        #expect(error?.context["part"] == String(index) && error?.context["count"] == "2")
      }
    }
    #expect(try statuses(of: "picture") == [.uploading, .complete])
    #expect(try store.count(Message.filter { $0.identifier == "picture" && $0.isUnread }) == 0)
    try expectSound(store)
  }

  @Test func queriesFindAndSortParts() throws {
    let waiting = Message.filter { $0.parts.any { $0.transferStatus.in([.awaitingUpload, .uploading]) } }
    #expect(try store.identifiers(waiting) == ["picture"])
    #expect(try store.count(Message.filter { $0.parts.all { $0.transferStatus == .complete } }) == 1)
    #expect(try store.count(Message.filter { $0.parts.none { $0.transferStatus == .complete } }) == 2)
    let sorted = try store.identifiers(MessagePart.order { $0.transferStatus.descending })
    #expect(sorted == ["text/parts/0", "video/parts/0", "picture/parts/0", "picture/parts/1"])
    let asked = try QueryPredicate(format: "transferStatus IN {'awaitingUpload', 'complete'} AND size > 4")
    #expect(try store.identifiers(MessagePart.filter(asked)) == ["picture/parts/1"])
    #expect(try store.count(Announcement.filter { $0.parts.any { $0.transferStatus == .downloading } }) == 1)
    let error = failure(.invalidValue) {
      _ = try store.count(Query<MessagePart>(format: "transferStatus = 'done'"))
    }
    #expect("\(error as Any)".contains("readyForDownload"))
  }

  @Test func theFeedNamesTheParts() throws {
    let before = try store.read { $0.sequence }
    try store.write { tx in try tx.update("video" as Message.ID) { $0.transferStatus[0] = .complete } }
    try store.write { tx in try tx.update("video" as Message.ID) { $0.transferStatus[0] = .complete } }
    let commits = try store.changes(since: before)
    #expect(commits.map { $0.changes.map(\.object) } == [[.message("video")]])
    #expect(commits.first?.changes.first?.properties.map(\.property) == ["parts"])
  }
}
