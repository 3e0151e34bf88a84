import Satchel
import SatchelScenes
import Testing

/// How many results lie before and after a page.
@Suite struct PagePlaceTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }
  let list = Message.filter { $0.conversation == "c" }.order { $0.position }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      for name in ["c", "other"] as [Conversation.ID] {
        try tx.createConversation(with: ["bob"], id: name)
        for place in 0..<100 {
          try tx.receive(
            [.text("\(place)")], in: name, from: "bob", id: Message.ID("\(name)\(place)"),
            position: Int64(place), sentAt: date(Double(place)), isUnread: place % 2 == 0)
        }
      }
    }
  }

  private func place(_ query: Query<Message>) throws -> [Int] {
    let page = try store.page(query)
    #expect(page.totalCount == page.rowsBefore + page.objects.count + page.rowsAfter)
    #expect(page.hasMoreBefore == (page.rowsBefore > 0) && page.hasMoreAfter == (page.rowsAfter > 0))
    return [page.rowsBefore, page.objects.count, page.rowsAfter]
  }

  @Test func beforeAndAfter() throws {
    // The same numbers by rank, and where each row has to be read.
    for list in [list, list.filter { $0.parts.any { $0.text != "" } }] {
      #expect(try place(list) == [0, 100, 0])
      #expect(try place(list.limit(20)) == [0, 20, 80])
      #expect(try place(list.offset(30).limit(20)) == [30, 20, 50])
      #expect(try place(list.offset(95).limit(20)) == [95, 5, 0])
      #expect(try place(list.offset(300)) == [100, 0, 0])
      #expect(try place(list.limit(0).offset(7)) == [7, 0, 93])
      #expect(try place(list.around("c50", before: 5, after: 4)) == [45, 10, 45])
      #expect(try place(list.around("c2", before: 5, after: 4)) == [0, 7, 93])
      #expect(try place(list.around("c50", before: 5, after: 4).offset(2).limit(3)) == [47, 3, 50])
      #expect(try place(list.around("c50", before: .max, after: .max)) == [0, 100, 0])
      #expect(try place(list.after("c49").limit(10)) == [50, 10, 40])
      #expect(try place(list.after("c49").offset(5).limit(10)) == [55, 10, 35])
      #expect(try place(list.after("c99").limit(10)) == [100, 0, 0])
      #expect(try place(list.before("c49").limit(10)) == [39, 10, 51])
      #expect(try place(list.before("c49").limit(10).offset(5)) == [34, 10, 56])
      #expect(try place(list.before("c0").limit(10)) == [0, 0, 100])
      #expect(try place(list.before("c7").offset(9)) == [0, 0, 100])
      #expect(try place(list.around(date(50), before: 2, after: 3)) == [48, 5, 47])
      #expect(try place(list.around(date(500), before: 2, after: 3)) == [98, 2, 0])
      #expect(try place(list.around(date(-1), before: 2, after: 3)) == [0, 3, 97])
    }
    let byDate = Message.filter { $0.conversation == "c" }.order { $0.sentAt }
    #expect(try place(byDate.around(date(50), before: 2, after: 3)) == [48, 5, 47])
    // An object that is in the list no more is a place to go on from.
    let unread = list.filter { $0.isUnread }
    #expect(try place(unread.after("c51").limit(5)) == [26, 5, 19])
    #expect(try place(unread.before("c51").limit(5)) == [21, 5, 24])
  }

  @Test func explainSaysHow() throws {
    func placing(_ query: Query<Message>, _ type: ResultType = .objects) throws -> Explanation.Placing? {
      let explanation = try store.explain(query, as: type)
      #expect(explanation.description.contains("by rank, O(log n)") == (explanation.placing == .byRank))
      #expect(explanation.description.contains("by one count") == (explanation.placing == .byCount))
      return explanation.placing
    }
    #expect(try placing(list.limit(20)) == .byRank)
    #expect(try placing(list.around("c50", before: 5, after: 5)) == .byRank)
    #expect(try placing(list.around(date(5), before: 5, after: 5)) == .byRank)
    let tested = list.filter { $0.parts.any { $0.text.contains("1") } }
    #expect(try placing(tested.limit(20)) == .byCount)
    #expect(try placing(tested.after("c50").limit(20)) == .byCount)
    // The number of all is a rank, but no index has this order.
    let sorted = Message.filter { $0.conversation == "c" }.order { $0.identifier }
    #expect(try placing(sorted.limit(20)) == .byRank)
    #expect(try placing(sorted.after("c50").limit(20)) == .byCount)
    #expect(try placing(list, .count) == nil)
  }

  @Test func aJumpToWhatTheListDoesNotHoldIsAnError() throws {
    let error = failure(.invalidValue) { _ = try store.page(list.around("other50", before: 2, after: 2)) }
    #expect(error?.context["identifier"] == "other50" && error?.context["conversation"] == "other")
    #expect(error?.message.contains("does not hold") == true)
    let unread = list.filter { $0.isUnread }
    failure(.invalidValue) { _ = try store.fetch(unread.around("c51", before: 2, after: 2)) }
    failure(.invalidValue) { _ = try store.count(unread.around("c51", before: 2, after: 2)) }
    #expect(try store.count(unread.around("c52", before: 2, after: 2)) == 5)
  }
}
