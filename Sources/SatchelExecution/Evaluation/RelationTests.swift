import SatchelBytes
import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading
import SatchelRecords

extension TestCompiler {
  /// Returns a check of a user, or of each participant, by the edges of relations. They are looked up once a user.
  func relationCheck(_ users: RelatedUsers, _ test: SatchelQuery.Test) -> Check {
    let snapshot = snapshot
    let known = KnownRelations(users, in: snapshot)
    let isNegated = test.isNegated
    if test.property.type == .participants {
      return { row in
        let members = try snapshot.participantSets.members(row.conversation(snapshot).participantSet)
        return try members.contains { try known.has(number: $0) } != isNegated
      }
    }
    if test.property == ObjectProperty([], .senderUserID), kind == .messages || kind == .announcements {
      let number = senderNumber
      return { row in try known.has(number: number(&row)) != isNegated }
    }
    let read = readers.exactReader(of: test.property)
    let isField = test.property.type == .custom
    return { row in
      switch try read(&row) {
      case .reference(let bytes):
        let prefix = Reference.identityPrefix
        guard unsafe bytes.starts(with: prefix) else { return isNegated }
        return try known.has(unsafe Array(bytes.dropFirst(prefix.count))) != isNegated
      case .mapped(let bytes) where !isField: return try known.has(unsafe Array(bytes)) != isNegated
      case .bytes(let bytes) where !isField: return try known.has(bytes) != isNegated
      default: return isNegated
      }
    }
  }
}

/// Which users are related to another one, as far as it has been asked.
private final class KnownRelations {
  private let users: RelatedUsers
  private let snapshot: Snapshot
  private let type: Lazily<UInt32>
  private var byNumber: [UInt32: Bool] = [:]
  private var byName: [HashedBytes: Bool] = [:]
  /// The number of the write's changes that the answers belong to; 0 in a read.
  private var changes = 0

  /// So many names are remembered at a time.
  private static var most: Int { 1 << 16 }

  init(_ users: RelatedUsers, in snapshot: Snapshot) {
    self.users = users
    self.snapshot = snapshot
    type = Lazily { try snapshot.recordType(of: .relations) }
  }

  /// Returns whether a user is related, by the number of the user id.
  func has(number: UInt32) throws -> Bool {
    forgetIfChanged()
    if let answer = byNumber[number] { return answer }
    let answer = try snapshot.isRelated(snapshot.users.utf8(number), in: users, ofType: type.value)
    byNumber[number] = answer
    return answer
  }

  /// Returns whether a user is related, by the user id.
  func has(_ user: [UInt8]) throws -> Bool {
    forgetIfChanged()
    let key = HashedBytes(user)
    if let answer = byName[key] { return answer }
    let answer = try snapshot.isRelated(user, in: users, ofType: type.value)
    if byName.count >= Self.most { byName.removeAll(keepingCapacity: true) }
    byName[key] = answer
    return answer
  }

  /// A write may go on between two rows.
  private func forgetIfChanged() {
    guard changes != snapshot.changes else { return }
    byNumber.removeAll(keepingCapacity: true)
    byName.removeAll(keepingCapacity: true)
    changes = snapshot.changes
  }
}
