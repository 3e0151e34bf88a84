import SatchelModel
import SatchelQuery
import SatchelSearch
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct ClosureTests {
  private func text<Object>(_ query: Query<Object>) -> String { query.untyped.predicate.description }

  @Test func messages() {
    let lunch = Conversation.ID("lunch")
    let week = Timestamp(microseconds: 1_000_000)
    let name = "bob"
    #expect(text(Message.filter { $0.conversation == lunch }) == "conversation = 'lunch'")
    #expect(
      text(Message.filter { $0.isUnread && $0.sender.userID != "alice" })
        == "isUnread = TRUE AND sender.userID != 'alice'")
    #expect(text(Message.filter { !$0.isUnread }) == "NOT isUnread = TRUE")
    #expect(text(Message.filter { $0.isUnread }) == "isUnread = TRUE")
    #expect(
      text(Message.filter { $0.isSent == false || $0.position == nil }) == "isSent = FALSE OR position = nil")
    #expect(
      text(Message.filter { $0.sentAt > week && $0.sentAt <= Date(timeIntervalSince1970: 2) })
        == "sentAt > 1970-01-01T00:00:01Z AND sentAt <= 1970-01-01T00:00:02Z")
    #expect(text(Message.filter { $0.recipientStatus["bob"] == .read }) == "recipientStatus.bob = 'read'")
    #expect(
      text(Message.filter { $0.recipientStatus[Identity.ID(name)].in([.read, .delivered]) })
        == "recipientStatus.bob IN {'read', 'delivered'}")
    #expect(
      text(
        Message.filter {
          $0.conversation.metadata.theme.color == "red" && $0.conversation.lastMessage.isUnread
        })
        == "conversation.metadata.theme.color = 'red' AND conversation.lastMessage.isUnread = TRUE")
    #expect(text(Message.filter { $0.position.between(1, 5) }) == "position BETWEEN {1, 5}")
    #expect(text(Message.filter { $0.position == 5.5 }) == "position = 5.5")
    #expect(
      text(Message.filter { $0.sender.displayName.like("a%", .diacriticInsensitive) })
        == "sender.displayName LIKE[d] 'a%'")
    #expect(text(Message.filter { $0.identifier.beginsWith("x").predicate }) == "identifier BEGINSWITH 'x'")
    #expect(
      text(Message.filter { $0.parts.all { $0.text.autocomplete("hel wo") } })
        == "ALL parts.text AUTOCOMPLETE 'hel wo'")
    #expect(
      text(Message.filter { $0.parts.any { $0.text.matches("noon  lunc*") } })
        == "parts.text MATCHES-TEXT 'noon  lunc*'")
    #expect(
      text(Message.filter { $0.sender.displayName.matches(SearchPattern(typed: "(a  😀 \"b")) })
        == "sender.displayName MATCHES-TEXT 'a b'")
    #expect(
      text(Message.filter { $0.sender.displayName.matches(SearchPattern(typed: " (")) })
        == "sender.displayName AUTOCOMPLETE ''")
  }

  @Test func elementsOfLists() {
    for (predicate, expected) in [
      (Message.filter { $0.metadata.tags.list.any { $0 == "a" } }, "metadata.tags = 'a'"),
      (Message.filter { $0.metadata.tags.list.any { $0 != "a" } }, "ANY metadata.tags != 'a'"),
      (
        Message.filter { $0.metadata.tags.list.any { $0 > "a" || $0 == "A" } },
        "metadata.tags > 'a' OR metadata.tags = 'A'"
      ),
      (
        Message.filter { $0.metadata.tags.list.all { $0.beginsWith("x") } },
        "ALL metadata.tags BEGINSWITH 'x'"
      ),
      (
        Message.filter { $0.metadata.tags.list.all { $0 > "a" && $0.notIn(["b"]) } },
        "ALL metadata.tags > 'a' AND ALL metadata.tags NOT IN {'b'}"
      ),
      (
        Message.filter { $0.metadata.tags.list.none { $0.in(["a", "b"]) } }, "NOT metadata.tags IN {'a', 'b'}"
      ),
      (Message.filter { $0.metadata.tags.list.none { $0 != "a" } }, "NOT ANY metadata.tags != 'a'"),
    ] {
      #expect(text(predicate) == expected)
    }
    let combined = Message.filter { $0.metadata.tags.list.any { $0 > "a" && $0 < "b" } }
    #expect(throws: SatchelError.self) {
      try Normalizer(kind: .messages, user: "alice").condition(for: combined.untyped.predicate)
    }
  }

  @Test func parts() {
    #expect(
      text(Message.filter { $0.parts.any { $0.mimeType == "image/png" } }) == "parts.mimeType = 'image/png'")
    #expect(
      text(Message.filter { $0.parts.any { $0.mimeType != "image/png" } })
        == "ANY parts.mimeType != 'image/png'")
    #expect(
      text(Message.filter { $0.parts.any { $0.size > 5 || $0.text == nil } })
        == "ANY parts (size > 5 OR text = nil)")
    #expect(text(Message.filter { $0.parts.none { $0.size > 5 } }) == "NOT parts.size > 5")
    #expect(text(Message.filter { $0.parts.all { !($0.size > 5) } }) == "NOT parts.size > 5")
    #expect(
      text(Message.filter { $0.parts.all { $0.size > 5 && $0.size < 9 } })
        == "ALL parts.size > 5 AND ALL parts.size < 9")
    #expect(
      text(MessagePart.filter { $0.message == "m" && $0.message.conversation == "c" && $0.index == 0 })
        == "message = 'm' AND message.conversation = 'c' AND index = 0")
    #expect(
      text(MessagePart.filter { $0.message.conversation.participants.contains("bob") })
        == "message.conversation.participants CONTAINS 'bob'")
  }

  @Test func severalConditionsOnOnePart() {
    #expect(
      text(Message.filter { $0.isUnread && $0.parts.any { $0.size > 5 && $0.mimeType == "a/b" } })
        == "isUnread = TRUE AND ANY parts (size > 5 AND mimeType = 'a/b')")
    #expect(
      text(Message.filter { $0.parts.all { $0.size > 5 || $0.text == nil } })
        == "ALL parts (size > 5 OR text = nil)")
    #expect(
      text(Message.filter { $0.parts.none { $0.size > 5 && !($0.mimeType == "a/b") } })
        == "NOT ANY parts (size > 5 AND NOT mimeType = 'a/b')")
    #expect(text(Message.filter { $0.parts.any { _ in QueryPredicate.true } }) == "ANY parts (TRUEPREDICATE)")
    #expect(text(Message.filter { $0.parts.all { $0.text == nil } }) == "ALL parts (text = nil)")
    // Outside of a group, "parts.text = nil" says that no part has a text.
    #expect(text(Message.filter { $0.parts.any { $0.text == nil } }) == "ANY parts (text = nil)")
    #expect(text(Message.filter { $0.parts.any { $0.text != nil } }) == "ANY parts (text != nil)")
    #expect(text(Message.filter { $0.parts.none { $0.size == nil } }) == "NOT ANY parts (size = nil)")
    #expect(
      text(MessagePart.filter { $0.message.parts.any { $0.size > 5 && $0.text != nil } })
        == "ANY message.parts (size > 5 AND text != nil)")
    for beyond in [
      Message.filter { message in message.parts.any { $0.size > 5 && message.isUnread } },
      Message.filter { message in message.parts.any { $0.size > 5 || message.isUnread } },
      Message.filter { message in message.parts.any { $0.size > 5 && message.parts.any { $0.size < 9 } } },
    ] {
      let error = #expect(throws: SatchelError.self) {
        try Normalizer(kind: .messages, user: "alice").condition(for: beyond.untyped.predicate)
      }
      #expect(error?.code == .unsupportedPredicate)
      #expect(["isUnread", "parts.size"].contains(error?.context["property"]))
    }
  }

  @Test func conversations() {
    #expect(
      text(
        Conversation.filter { $0.metadata.theme.color.in(["red", "blue"]) && $0.metadata.title == "Lunch" })
        == "metadata.theme.color IN {'red', 'blue'} AND metadata.title = 'Lunch'")
    #expect(text(Conversation.filter { $0.metadata["a.in"] == "x" }) == "metadata.a.in = 'x'")
    #expect(
      text(
        Conversation.filter { $0.metadata.priority.number > 5 && $0.metadata.theme.size.number.in([1.5, 2]) })
        == "metadata.priority > 5 AND metadata.theme.size IN {1.5, 2.0}")
    #expect(
      text(
        Conversation.filter {
          $0.metadata["due"].date < Date(timeIntervalSince1970: 1) && $0.metadata.muted.boolean
            && $0.metadata["date"] == "x" && $0.metadata.a.number == nil
        })
        == "metadata.due < 1970-01-01T00:00:01Z AND metadata.muted = TRUE AND metadata.date = 'x' AND metadata.a = nil"
    )
    #expect(text(Conversation.filter { $0.metadata == ["a": ["b": "c"]] }) == "metadata = {'a': {'b': 'c'}}")
    #expect(
      text(Conversation.filter { $0.participants == ["bob", "eve"] && $0.participants.in(["x"]) })
        == "participants = {'bob', 'eve'} AND participants IN {'x'}")
    #expect(
      text(Conversation.filter { $0.participants.containsAll(["bob"]) || !$0.participants.contains("eve") })
        == "participants CONTAINS {'bob'} OR NOT participants CONTAINS 'eve'")
    #expect(text(Conversation.filter { $0.lastMessage != nil }) == "lastMessage != nil")
    #expect(text(Conversation.filter { $0.lastMessage == "m" }) == "lastMessage = 'm'")
    #expect(
      text(Conversation.filter { $0.lastMessage.sender.userID == nil }) == "lastMessage.sender.userID = nil")
    #expect(text(Announcement.filter { $0.isUnread }) == "isUnread = TRUE")
    #expect(
      text(Identity.filter { $0.followed && $0.displayName >= "A" })
        == "followed = TRUE AND displayName >= 'A'")
  }

  @Test func manyClauses() {
    let query = Message.filter {
      $0.position > 1 && $0.isUnread && $0.sender.userID != "alice" && $0.sentAt != nil && $0.position < 900
        && $0.metadata.a == "x" && $0.conversation == "c" && !$0.isSent && $0.position.in([1, 2, 3])
        && $0.receivedAt > Date(timeIntervalSince1970: 7)
    }
    guard case .and(let clauses) = query.untyped.predicate.form else {
      Issue.record("not a conjunction: \(query)")
      return
    }
    #expect(clauses.count == 10)
  }

  @Test func queries() throws {
    let query = Message.filter { $0.isUnread }.order { $0.position.descending }.limit(20).offset(5).after(
      "m7")
    #expect(
      query.description == "messages where isUnread = TRUE order -position limit 20 offset 5 after 'm7'")
    #expect(
      Message.order { ($0.sentAt.descending, $0.position) }.untyped.sort
        == [SortKey(["sentAt"], descending: true), SortKey(["position"])])
    #expect(
      try Message.order { ($0.isUnread, $0.position, $0.identifier.descending) }.untyped.sort
        == SortKey.keys("isUnread,position,-identifier"))
    #expect(Message.all.order { $0.position }.untyped.sort == [SortKey(["position"])])
    #expect(Message.all.untyped == QueryDescription(kind: .messages))
    #expect(
      Conversation.order { $0.lastMessage.receivedAt.descending }.description
        == "conversations order -lastMessage.receivedAt")
    #expect(
      try Query<Message>(format: "parts.mimeType BEGINSWITH %@ AND isUnread = TRUE", "image/").untyped
        .predicate
        == QueryPredicate(format: "parts.mimeType BEGINSWITH 'image/' AND isUnread"))
    #expect(Message.all.around("m", before: 2, after: 3).untyped.anchor == .around("m", before: 2, after: 3))
    #expect(Message.all.before("m") != Message.all.after("m"))
    #expect(
      Message.filter { $0.isSent }.filter { $0.isUnread } == Message.filter { $0.isSent && $0.isUnread })
    #expect(Message.all.after("\u{E9}") != Message.all.after("e\u{301}"))
    #expect(Query<Message>(QueryDescription(kind: .parts)) == nil)
  }
}
