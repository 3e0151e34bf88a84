internal import Satchel
internal import SatchelModel
internal import SatchelQuery
internal import SatchelWriting
internal import StoreModel

/// A script's indexes: they are declared, replaced and dropped, also while they are being built.
extension Workload {
  package enum Indexing: String, Sendable, Codable {
    /// The script's own commits, some objects each.
    case along
    /// A thread beside the commits.
    case beside
  }

  /// After so many commits the script declares the same again.
  static let roundOfIndexes = 10
  /// How many objects a commit of the script adds, or removes.
  private static let slice = 120

  private static let all = Index(named: "own", on: Message.self) {
    [$0.metadata.title, $0.sentAt.descending]
  }
  private static let unread = Index(named: "own", on: Message.self, where: { $0.isUnread }) {
    [$0.metadata.title, $0.sentAt]
  }
  private static let hasty = Index(named: "own", on: Message.self) {
    [$0.metadata.title, $0.receivedAt]
  }
  private static let other = Index(named: "other", on: Message.self) {
    [$0.metadata.title.descending, $0.position]
  }

  private static let words = Index(named: "words", on: Message.self, wordsOf: { $0.metadata.title })

  /// Does what a commit does to indexes, on the model alone without a writer. The first one fills the store.
  func declareIndexes(_ number: Int, _ operations: inout RandomOperations, _ writer: Writer?) throws {
    guard let indexing else { return }
    if number == 1 { try operations.fill(writer, conversations: 32, messages: 48) }
    let isHasty = number / Self.roundOfIndexes % 2 == 1
    switch number % Self.roundOfIndexes {
    // Each takes the place of that of the round before; in every second round one that is not complete is replaced as well.
    case 2: try declare(isHasty ? Self.hasty : Self.all, &operations, writer)
    case 3 where isHasty: try declare(Self.unread, &operations, writer)
    case 4: try declare(Self.words, &operations, writer)
    case 6: try declare(Self.other, &operations, writer)
    // In every second round before it is complete.
    case 7 where isHasty, 9: try drop(Self.other, &operations, writer)
    case 8 where isHasty: try drop(Self.words, &operations, writer)
    default: break
    }
    guard indexing == .along, let writer else { return }
    writer.turn.grows = true
    writer.turn.indexingRoom = Self.slice
  }

  private func declare(_ index: Index, _ operations: inout RandomOperations, _ writer: Writer?) throws {
    operations.model.indexes[index.name] = index.definition
    if let writer { try WriteTransaction(writer).declare(index, replacing: true) }
  }

  private func drop(_ index: Index, _ operations: inout RandomOperations, _ writer: Writer?) throws {
    guard operations.model.indexes.removeValue(forKey: index.name) != nil, let writer else { return }
    try WriteTransaction(writer).dropIndex(named: index.name)
  }
}
