/// What the store has to hold, in plain arrays, in the order of creation. It is exact, small and slow: nothing in it is
/// clever enough to be wrong in the same way as the store.
struct Model {
  struct Conversation {
    let number: Int
    var participants: Set<Int>
    let createdAt: Int64
    var metadata: [String: String]

    /// Whether the store's user takes part.
    var isVisible: Bool { participants.contains(0) }
  }

  struct Message {
    let number: Int
    let conversation: Int
    let sender: Int
    var position: Int64?
    var sentAt: Int64?
    let receivedAt: Int64
    var isSent: Bool
    var isUnread: Bool
    let parts: [NewMessage.Part]
    var status: [Int: Edit.Status]
    var metadata: [String: String]
  }

  struct Identity {
    let user: Int
    var displayName: String?
    var followed: Bool
  }

  var conversations: [Conversation] = []
  var messages: [Message] = []
  var announcements: [Message] = []
  /// In the order of creation: a replaced one keeps its place.
  var identities: [Identity] = []
  /// Records of all types, in the order of creation.
  var records: [Record] = []
  /// Whether the store keeps what follows.
  var keepsResponses = false
  var reactions: Set<ResponseEdit.Reaction> = []
  /// Which message answers which, in the order in which the store was told.
  var parents: [Reply] = []
  var states: [ResponseEdit.Participant: ResponseEdit.State] = [:]
  var relations: Set<ResponseEdit.Relation> = []
  /// How far the types of records are declared; 0 if none is.
  var stage = 0
  var removed = Removed()
  /// The number of the last operation.
  var progress = 0

  /// The numbers that the next ones get; none is used twice.
  var nextConversation = 1
  var nextMessage = 1
  var nextAnnouncement = 1

  /// Where a number is among ascending ones; nil if it is not.
  static func place<Object>(of number: Int, in objects: [Object], _ key: (Object) -> Int) -> Int? {
    var (low, high) = (0, objects.count)
    while low < high {
      let middle = (low + high) / 2
      if key(objects[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return low < objects.count && key(objects[low]) == number ? low : nil
  }

  func conversation(_ number: Int) -> Int? { Self.place(of: number, in: conversations, \.number) }

  func message(_ number: Int) -> Int? { Self.place(of: number, in: messages, \.number) }

  func announcement(_ number: Int) -> Int? { Self.place(of: number, in: announcements, \.number) }
}
