public import SatchelModel
public import SatchelQuery

/// A page of a list: its size, and how many rows come before it. The service's own names of pages, its cursors, mean nothing to a store.
public struct Pagination: Hashable, Sendable {
  /// The greatest number of rows.
  public let pageSize: Int
  /// The number of rows before the page.
  public let offset: Int

  /// Makes a page behind `offset` rows, which costs a store O(log n) where an index has the order.
  public init(pageSize: Int, offset: Int = 0) {
    self.pageSize = pageSize
    self.offset = offset
  }

  static func check(_ pageSize: Int, _ offset: Int = 0, of list: FilteredList) throws {
    guard pageSize > 0, offset >= 0 else {
      throw SatchelError(
        .invalidValue, "A page has at least one row, and no negative number of rows before it",
        ["list": list.rawValue, "limit": "\(pageSize)", "offset": "\(offset)"])
    }
  }
}

/// Where a page of messages is.
public enum PaginationParameter: Hashable, Sendable {
  /// The oldest of the messages that are newer than this one.
  case greaterThan(_ id: Message.ID)
  /// This message, and the oldest of those that are newer.
  case greaterThanOrEqual(_ id: Message.ID)
  /// The newest of the messages that are older than this one.
  case lessThan(_ id: Message.ID)
  /// This message, and the newest of those that are older.
  case lessThanOrEqual(_ id: Message.ID)
  /// This message in the middle.
  case around(_ id: Message.ID)
}

extension Query where Object == Message {
  /// Creates a query for a page of the messages of a channel, the newest message first.
  /// - Parameters:
  ///   - cid: The channel: the identifier of its conversation.
  ///   - pageSize: The greatest number of messages.
  ///   - parameter: Where the page is; nil for the newest messages. Around a message are as many newer ones as older ones, and of an even size one
  ///     more of the older ones.
  /// - Throws: ``SatchelModel/SatchelError`` `invalidValue` for a page without rows.
  public init(messagesIn cid: Conversation.ID, pageSize: Int = 25, _ parameter: PaginationParameter? = nil)
    throws
  {
    try Pagination.check(pageSize, of: .messages)
    let query = Message.filter { $0.conversation == cid }.order { $0.position.descending }
    self =
      switch parameter {
      case nil: query.limit(pageSize)
      // What is newer lies before a message in this order.
      case .greaterThan(let id)?: query.before(id).limit(pageSize)
      case .greaterThanOrEqual(let id)?: query.around(id, before: pageSize - 1, after: 0)
      case .lessThan(let id)?: query.after(id).limit(pageSize)
      case .lessThanOrEqual(let id)?: query.around(id, before: 0, after: pageSize - 1)
      case .around(let id)?: query.around(id, before: (pageSize - 1) / 2, after: pageSize / 2)
      }
  }
}
