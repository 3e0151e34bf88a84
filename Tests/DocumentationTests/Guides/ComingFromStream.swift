import Foundation
import Satchel
import SatchelDialects
import SatchelResponses
import Testing

/// The code and the tables of the article "Coming from Stream".
@Suite struct ComingFromStreamGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try store.enable(.participations)
    for (id, priority, score) in [("messaging:a", 6, 1), ("messaging:b", 7, 2), ("messaging:c", 5, 3)] {
      try chats.chat(
        Conversation.ID(id),
        metadata: [
          "type": "messaging", "priority": .integer(Int64(priority)),
          "custom_score": ["value": .integer(Int64(score))],
        ], messages: 1)
    }
  }

  @Test func filtersAndLists() throws {
    let filter: Filter<ChannelListFilterScope> = .and([
      .containMembers(userIds: [store.user]),
      .equal(.type, to: .messaging),
      .greater("priority", than: 5),
    ])
    let channels = try store.fetch(ChannelListQuery(filter: filter).query())
    let predicate = try filter.predicate()
    #expect(Set(channels.map(\.id)) == ["messaging:a", "messaging:b"])
    #expect(try store.count(Conversation.filter(predicate)) == 2)
    let key = ChannelListSortingKey.custom(key: "custom_score.value")
    let list = ChannelListQuery(filter: filter, sort: [Sorting(key: key, isAscending: false)], pageSize: 20)
    let controller = store.controller(for: try list.query())
    try controller.execute()
    #expect(controller.objects.map(\.id) == ["messaging:b", "messaging:a"])
    controller.close()
  }

  @Test func filtersOfTheTableBecomeItsPredicates() throws {
    let rows = try Repository.table("Filters", of: "ComingFromStream")
    #expect(rows.count >= 16)
    for row in rows {
      let json = try #require(row[0].first)
      let text = try #require(row[1].first)
      let filter = try JSONDecoder().decode(Filter<ChannelListFilterScope>.self, from: Data(json.utf8))
      let predicate = try filter.predicate()
      #expect(try predicate == QueryPredicate(format: text), "\(json): \(predicate)")
      #expect(throws: Never.self) { try store.count(Conversation.filter(predicate)) }
    }
  }

  /// The keys that the article says are refused are, and say what to do instead.
  @Test func whatIsRefused() throws {
    let rows = try Repository.table("What is refused", of: "ComingFromStream")
    let states = try #require(rows.first?.first)
    #expect(states == ["blocked", "invite"])
    for key in states + ["joined", "member.user.name", "deleted_at"] {
      let filter = Filter<ChannelListFilterScope>.equal(FilterKey(rawValue: key), to: true)
      let error = #expect(throws: SatchelError.self) { try filter.predicate() }
      #expect(error?.code == .notAvailable && error?.context["instead"]?.isEmpty == false, "\(key)")
    }
    do {
      _ = try Filter<ChannelListFilterScope>.equal(.blocked, to: true).predicate()
    } catch let error as SatchelError where error.code == .notAvailable {
      print(error.context["key"] ?? "", error.context["operator"] ?? "", error.context["instead"] ?? "")
    }
  }
}
