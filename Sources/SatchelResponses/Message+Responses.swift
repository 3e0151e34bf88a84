public import SatchelModel
public import SatchelQuery

/// What others say to a message, which can come with messages, and what a conversation is to the store's user, which can come with
/// conversations: see `Query.including(_:)` for these.
public struct ResponseField: QueryField {
  /// The names of the key path, from the message on.
  public let propertyPath: [String]
}

extension MessageFields {
  /// The reactions to the message: ``Message/reactionSummary``.
  public var reactions: ResponseField { ResponseField(propertyPath: path(to: "reactions")) }

  /// The replies to the message: ``Message/threadSummary``.
  public var replies: ResponseField { ResponseField(propertyPath: path(to: "replies")) }

  private func path(to name: String) -> [String] { identifier.propertyPath.dropLast() + [name] }
}

extension Query<Message> {
  /// Returns the query for messages with which it comes what others say to them, read in the same snapshot.
  ///
  /// ```swift
  /// let page = Message.filter { $0.conversation == lunch }.order { $0.position.descending }.limit(20)
  /// for message in try store.fetch(page.including(\.reactions).including(\.replies)) {
  ///   print(message.text ?? "", message.reactionSummary?.kinds.map { "\($0.kind) \($0.count)" } ?? [])
  /// }
  /// ```
  ///
  /// Results are selected and counted as without it. In lists that are kept up to date, a change of a message's reactions or replies is an
  /// update of its row. A read throws `unknownRecordType` if the store does not keep them.
  /// - Parameter responses: `\.reactions` or `\.replies`.
  /// - Complexity: For each message O(log n) for its reactions, for each kind of these, and for its replies. Reads of records only that of
  ///   the last reply.
  public func including(_ responses: (MessageFields) -> ResponseField) -> Query<Message> {
    var description = untyped
    let inclusion = QueryInclusion(responses(Message.fields).propertyPath)
    if !description.inclusions.contains(inclusion) { description.inclusions.append(inclusion) }
    return Query(description) ?? self
  }
}

extension Message {
  /// The reactions that have come with the message, counted by kind; nil if the query did not include them. They are not part of
  /// its coded form.
  /// - Complexity: O(1). Reads nothing.
  public var reactionSummary: ReactionSummary? { envelope.includedResponses?.reactions }

  /// How many replies the message has, and which is the last; nil if the query did not include them. It is not part of the message's
  /// coded form.
  /// - Complexity: O(1). Reads nothing.
  public var threadSummary: ThreadSummary? { envelope.includedResponses?.thread }
}
