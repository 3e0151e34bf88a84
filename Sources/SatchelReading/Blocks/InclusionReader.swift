internal import SatchelCoding
package import SatchelModel

/// Reads the objects that come with others in one read of one state: each once, however many objects refer to it.
///
/// A reader is for objects of one place in the tree of inclusions; readers for the places behind it belong to it.
package final class InclusionReader {
  /// What comes with the objects.
  package let inclusions: Inclusions
  private let snapshot: Snapshot
  private let contents: ContentSelection
  /// What all readers of a tree have in common.
  private let shared: Shared
  private let next: [(relation: ObjectRelation, reader: InclusionReader)]
  /// Reads what others say to messages; nil if that does not come along.
  private let responses: ResponseReader?
  /// Reads what conversations are to the store's user; nil if that does not come along.
  private let participations: ParticipationReader?
  private var conversations: [UInt32: Conversation] = [:]
  private var messages: [MessageKey: IncludedMessage] = [:]

  private final class Shared {
    /// The identities by their users' numbers; nil for a user who has none.
    var identities: [UInt32: IncludedIdentity?] = [:]
    var references = IncludedReferences()
  }

  /// Makes the reader of a tree of inclusions; nil if it is empty.
  /// - Throws: As a `ResponseReader`.
  package convenience init?(
    _ inclusions: Inclusions, _ contents: ContentSelection, in snapshot: Snapshot
  ) throws {
    guard !inclusions.isEmpty else { return nil }
    let kinds = inclusions.responses
    let isOwn = kinds.contains(.participation)
    let responses = kinds.isEmpty || isOwn ? nil : try ResponseReader(kinds, in: snapshot)
    self.init(
      inclusions, contents, snapshot, Shared(), responses, isOwn ? try ParticipationReader(in: snapshot) : nil
    )
  }

  private init(
    _ inclusions: Inclusions, _ contents: ContentSelection, _ snapshot: Snapshot, _ shared: Shared,
    _ responses: ResponseReader? = nil, _ participations: ParticipationReader? = nil
  ) {
    self.participations = participations
    self.inclusions = inclusions
    self.responses = responses
    self.snapshot = snapshot
    self.contents = contents
    self.shared = shared
    next = inclusions.steps.filter { !$0.next.isEmpty }
      .map { ($0.relation, InclusionReader($0.next, contents, snapshot, shared)) }
  }

  /// The reader of what comes with the objects behind a relation; nil if nothing does.
  subscript(relation: ObjectRelation) -> InclusionReader? { next.first { $0.relation == relation }?.reader }

  /// What has been referred to so far.
  package var references: IncludedReferences {
    var references = shared.references
    references.responded = responses?.responded
    references.participations = participations?.conversations ?? []
    return references
  }

  /// Whether it comes along what others say to messages.
  var readsResponses: Bool { responses != nil }

  // MARK: Objects

  /// Returns the identity of a user; nil if there is none, or if senders do not come along.
  func sender(_ user: UInt32) throws -> IncludedIdentity? {
    guard inclusions[.sender] != nil else { return nil }
    if let known = shared.identities[user] { return known }
    snapshot.metrics.inclusionsRead &+= 1
    let identity = try snapshot.locateIdentity(user: user).map {
      IncludedIdentity(try snapshot.makeIdentity($0))
    }
    shared.identities[user] = .some(identity)
    shared.references.users.insert(user)
    return identity
  }

  /// Returns a conversation; nil if conversations do not come along.
  func conversation(_ row: UInt32) throws -> Conversation? {
    guard inclusions[.conversation] != nil else { return nil }
    if let known = conversations[row] { return known }
    snapshot.metrics.inclusionsRead &+= 1
    let conversation = try snapshot.makeConversation(
      row, Accompaniment(contents, included: self[.conversation]))
    conversations[row] = conversation
    shared.references.conversations.insert(row)
    return conversation
  }

  /// Returns the message of a part; nil if messages do not come along.
  func message(_ view: MessageView) throws -> IncludedMessage? {
    guard inclusions[.message] != nil else { return nil }
    if let known = messages[view.key] { return known }
    snapshot.metrics.inclusionsRead &+= 1
    let message = IncludedMessage(
      inclusions, try snapshot.makeMessage(view, Accompaniment(contents, included: self[.message])))
    messages[view.key] = message
    return message
  }

  /// Returns what others say to a message; nil if that does not come along.
  func responses(to message: MessageView) throws -> IncludedResponses? {
    try responses?.responses(to: message)
  }

  /// Returns what a conversation is to the store's user; nil if that does not come along.
  func own(in conversation: ConversationView) throws -> OwnParticipation? {
    try participations?.own(in: conversation)
  }

  /// Returns what comes with a message or an announcement.
  func objects(of view: MessageView) throws -> IncludedObjects {
    // In a write, what is read next may move the record.
    let (key, user) = (view.key, view.sender)
    let responses = try responses(to: view)
    return IncludedObjects(
      inclusions, sender: try sender(user)?.identity,
      conversation: key.isAnnouncement ? nil : try conversation(key.conversation), responses: responses)
  }
}

/// An identity that comes with many objects, which share it.
final class IncludedIdentity: Sendable {
  let identity: Identity
  init(_ identity: Identity) { self.identity = identity }
}

/// What objects that come with others were looked for, whether there are any or not.
package struct IncludedReferences: Sendable {
  /// The numbers of users.
  package var users: Set<UInt32> = []
  /// The rows of conversations.
  package var conversations: Set<UInt32> = []
  /// What records refer to.
  package var objects: Set<Reference> = []
  /// Messages of which it was asked what others say to them; nil if that does not come along.
  package var responded: RespondedMessages?
  /// The rows of conversations of which it was asked what they are to the store's user.
  package var participations: Set<UInt32> = []

  package init() {}

  package var count: Int {
    users.count + conversations.count + objects.count + participations.count + (responded?.count ?? 0)
  }
  package var isEmpty: Bool { count == 0 }

  package mutating func formUnion(_ others: IncludedReferences) {
    users.formUnion(others.users)
    conversations.formUnion(others.conversations)
    objects.formUnion(others.objects)
    participations.formUnion(others.participations)
    guard let more = others.responded else { return }
    if responded == nil { responded = more } else { responded?.formUnion(more) }
  }
}

/// The objects that come with the messages of a block.
struct BlockInclusions: Sendable {
  let inclusions: Inclusions
  /// The identities of senders, by their users' numbers.
  private var senders: [UInt32: IncludedIdentity] = [:]
  /// The conversations by the index of the block; empty if they do not come along.
  private var conversations: [Conversation?] = []
  /// What others say to the messages, by row; empty if that does not come along.
  private var responses: [IncludedResponses] = []

  init(_ inclusions: Inclusions) { self.inclusions = inclusions }

  func sender(_ user: UInt32) -> Identity? { senders[user]?.identity }

  func conversation(_ index: Int) -> Conversation? {
    index < conversations.count ? conversations[index] : nil
  }

  func responses(_ row: Int) -> IncludedResponses? { row < responses.count ? responses[row] : nil }

  /// Adds what others say to the next message of the block.
  mutating func add(responsesTo message: MessageView, _ reader: InclusionReader) throws {
    if let found = try reader.responses(to: message) { responses.append(found) }
  }

  /// Adds what comes with the next message of the block.
  /// - Parameters:
  ///   - user: The number of the sender.
  ///   - index: The index of the message's conversation in the block.
  mutating func add(sender user: UInt32, of key: MessageKey, _ index: Int, _ reader: InclusionReader) throws {
    if senders[user] == nil { senders[user] = try reader.sender(user) }
    guard index >= conversations.count, inclusions[.conversation] != nil else { return }
    conversations.append(key.isAnnouncement ? nil : try reader.conversation(key.conversation))
  }

  /// Returns what comes with one message, as that of a block with this message alone.
  func of(_ row: Int, sender user: UInt32, conversation index: Int) -> BlockInclusions {
    var own = BlockInclusions(inclusions)
    own.senders[user] = senders[user]
    if index < conversations.count { own.conversations = [conversations[index]] }
    if row < responses.count { own.responses = [responses[row]] }
    return own
  }
}
