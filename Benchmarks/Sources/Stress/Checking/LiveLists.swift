import Foundation
import Satchel

/// Controllers that follow the store all the while, and have to show what the model has soon after every commit.
final class LiveLists {
  private let unread: QueryController<Message>
  private let newest: QueryController<Conversation>
  private let latest: QueryController<Message>
  private let unreadQuestion: Question<Message>
  private let latestQuestion: Question<Message>

  /// Controllers of a store; the messages of one conversation among them.
  init(_ store: MessageStore, conversation: Int) throws {
    let id = Names.conversation(conversation)
    unreadQuestion = Question("live unread messages", Message.filter { $0.isUnread }, .newest) { message, _ in
      message.isUnread
    }
    latestQuestion = Question(
      "live messages of \(id)", Message.filter { $0.conversation == id }, .position
    ) { message, _ in message.conversation == conversation }
    unread = store.controller(for: unreadQuestion.query, window: .first(30))
    newest = store.controller(for: Questions.newest.query, window: .first(20))
    latest = store.controller(for: latestQuestion.query, window: .last(25))
    try unread.execute()
    try newest.execute()
    try latest.execute()
  }

  func close() {
    unread.close()
    newest.close()
    latest.close()
  }

  /// Compares all lists with the model. They are given time to hear of the last commit.
  func check(_ answers: Answers) throws {
    try check(unread, unreadQuestion, Array(unreadQuestion.expected(answers).prefix(30)))
    try check(newest, Questions.newest, Array(Questions.newest.expected(answers).prefix(20)))
    try check(latest, latestQuestion, latestQuestion.expected(answers).suffix(25))
  }

  private func check<Object: StoredObject>(
    _ controller: QueryController<Object>, _ question: Question<Object>, _ expected: [String]
  ) throws {
    let deadline = Date.now.addingTimeInterval(30)
    var shown: [String] = []
    repeat {
      if let failure = controller.failure { throw failure }
      shown = controller.list.objects.map(question.describe)
      if shown == expected { return }
      usleep(500)
    } while Date.now < deadline
    try Difference.check("\(question.name), 30 seconds after the commit", shown, expected)
  }
}
