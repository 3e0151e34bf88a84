import Satchel
import SatchelScenes
import Testing

/// The errors of questions: which code, and what they name.
@Suite struct QuestionErrorTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws { scratch = try Scratch() }

  /// Asks on every way that a query can be asked.
  func refused<Object: StoredObject>(
    _ code: SatchelError.Code, _ query: Query<Object>, sourceLocation: SourceLocation = #_sourceLocation
  ) -> SatchelError? {
    failure(code, sourceLocation: sourceLocation) { _ = try store.fetch(query) }
    failure(code, sourceLocation: sourceLocation) { _ = try store.first(query) }
    failure(code, sourceLocation: sourceLocation) { _ = try store.identifiers(query) }
    failure(code, sourceLocation: sourceLocation) { _ = try store.page(query) }
    failure(code, sourceLocation: sourceLocation) { _ = try store.explain(query) }
    return failure(code, sourceLocation: sourceLocation) { _ = try store.count(query) }
  }

  @Test(arguments: [
    "nonsense = 1", "unreadCount = 1", "sender.nonsense = 'x'", "conversation.nonsense = 1",
    "parts.nonsense = 1",
    "conversation.lastMessage.parts.size = 1",
  ]) func propertiesThatDoNotExist(_ format: String) throws {
    let error = refused(.unqueryableProperty, try Query<Message>(format: format))
    #expect(error?.context["property"] == format.split(separator: " ").first.map(String.init))
  }

  @Test(arguments: [
    "isUnread > TRUE", "sentAt LIKE 'x'", "position BEGINSWITH 'x'", "metadata CONTAINS 'x'",
    "conversation.participants < 'x'", "recipientStatus.bob < 'read'", "parts.size LIKE '1'",
  ]) func operatorsThatAPropertyHasNot(_ format: String) throws {
    let error = refused(.unsupportedPredicate, try Query<Message>(format: format))
    #expect(error?.context["property"] == format.split(separator: " ").first.map(String.init))
    #expect(error?.context["operator"] != nil, "\(error.map { "\($0)" } ?? "")")
  }

  @Test(arguments: [
    "isUnread = 'yes'", "position = 'x'", "sentAt = 5", "identifier = 5", "sender.userID IN {1, 2}",
    "recipientStatus.bob = 'eaten'", "metadata.a = {5}", "isUnread = NULL",
  ]) func valuesOfTheWrongType(_ format: String) throws {
    let error = refused(.invalidValue, try Query<Message>(format: format))
    #expect(error?.context["property"] == format.split(separator: " ").first.map(String.init))
  }

  @Test func sorts() {
    let error = refused(.unsupportedSort, Conversation.order([SortKey(["participants"])]))
    #expect(error?.context["property"] == "participants")
    _ = refused(.unqueryableProperty, Conversation.order([SortKey(["position"])]))
  }

  @Test func severalConditionsOnOnePart() throws {
    let error = refused(
      .unqueryableProperty, try Query<Message>(format: "ANY parts (size > 5 AND isUnread = TRUE)"))
    #expect(error?.context["property"] == "parts.isUnread")
    let nested = refused(
      .unsupportedPredicate, try Query<Message>(format: "ANY parts (size > 5 AND ANY parts (size < 9))"))
    #expect(nested?.context["property"] == "parts.parts")
    let beyond = refused(
      .unsupportedPredicate,
      Message.filter { message in message.parts.any { $0.size > 5 && message.isUnread } })
    #expect(beyond?.context["property"] == "isUnread")
  }

  @Test func textsThatAreNoPredicates() {
    for format in [
      "", "isUnread = ", "(isUnread = TRUE", "a = 1 b = 2", "= 1", "NOT", "isUnread = TRUE AND",
    ] {
      let error = failure(.syntaxError) { _ = try Query<Message>(format: format) }
      #expect(error?.context["column"] != nil, "\(error.map { "\($0)" } ?? "")")
    }
    failure(.syntaxError) { _ = try Query<Message>(format: "identifier = %@") }
    failure(.syntaxError) { _ = try Query<Message>(format: "identifier = 'x'", "unused") }
    struct Odd: Sendable {}
    failure(.invalidValue) { _ = try Query<Message>(format: "identifier = %@", Odd()) }
  }
}
