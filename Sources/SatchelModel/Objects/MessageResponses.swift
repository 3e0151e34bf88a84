import SatchelText

/// The reactions to a message, counted by kind: see `Message.reactionSummary` of SatchelResponses.
public struct ReactionSummary: Hashable, Sendable {
  /// The reactions of one kind.
  public struct Kind: Sendable {
    /// What the users reacted with, such as "👍".
    public let kind: String
    /// How many users reacted with it; at least 1.
    public let count: Int
    /// Whether the store's user is one of them.
    public let isMine: Bool

    package init(kind: String, count: Int, isMine: Bool) {
      self.kind = kind
      self.count = count
      self.isMine = isMine
    }
  }

  /// The kinds, in ascending order of their UTF-8 bytes: what is added to one of them moves none.
  public let kinds: [Kind]

  package init(_ kinds: [Kind]) { self.kinds = kinds }

  /// How many reactions there are, of all kinds.
  public var count: Int { kinds.reduce(0) { $0 + $1.count } }

  /// Whether there are none.
  public var isEmpty: Bool { kinds.isEmpty }

  /// How many reactions of a kind there are.
  /// - Complexity: O(kinds).
  public subscript(kind: String) -> Int { kinds.first { UTF8Order.areEqual($0.kind, kind) }?.count ?? 0 }

  /// The kinds with which the store's user reacted, in the order of ``kinds``.
  public var mine: [String] { kinds.filter(\.isMine).map(\.kind) }
}

extension ReactionSummary.Kind: Hashable {
  /// Whether both are equal, the kind byte by byte.
  public static func == (left: Self, right: Self) -> Bool {
    left.count == right.count && left.isMine == right.isMine && UTF8Order.areEqual(left.kind, right.kind)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    UTF8Order.hash(kind, into: &hasher)
    hasher.combine(count)
    hasher.combine(isMine)
  }
}

/// The replies to a message, in short: see `Message.threadSummary` of SatchelResponses.
public struct ThreadSummary: Hashable, Sendable {
  /// How many messages answer it.
  public let replyCount: Int
  /// Which of them was the last of which the store was told that it answers the message; nil if none does.
  public let lastReply: Message.ID?

  package init(replyCount: Int, lastReply: Message.ID?) {
    self.replyCount = replyCount
    self.lastReply = lastReply
  }
}

/// What comes with a message of what others say to it.
package struct IncludedResponses: Hashable, Sendable {
  /// Nil if they do not come along.
  package var reactions: ReactionSummary?
  /// Nil if it does not come along.
  package var thread: ThreadSummary?

  package init() {}
}

/// Which responses to messages are meant, or what conversations are to the store's user.
package struct ResponseKinds: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let reactions = ResponseKinds(rawValue: 1)
  package static let replies = ResponseKinds(rawValue: 2)
  package static let participation = ResponseKinds(rawValue: 4)
}
