import SatchelModel
import SatchelQuery
import SatchelStorage

/// A question about participants by the numbers of their user ids: each name is looked up once, and a set of participants
/// costs as many look-ups here as it has members, however many names there are.
struct ParticipantNumbers {
  private let test: ParticipantTest
  private let numbers: Set<UInt32>
  /// True where a name has no number: nobody has ever had it.
  private let hasUnknown: Bool

  init(_ test: ParticipantTest, _ snapshot: Snapshot) throws {
    self.test = test
    let users =
      switch test {
      case .equals(let users), .overlaps(let users), .containsAll(let users): users
      }
    var numbers: Set<UInt32> = []
    var hasUnknown = false
    for user in users {
      if let number = try snapshot.users.number(of: user.rawValue) {
        numbers.insert(number)
      } else {
        hasUnknown = true
      }
    }
    self.numbers = numbers
    self.hasUnknown = hasUnknown
  }

  /// Whether the answer is yes for participants, who are distinct.
  func hold(for members: [UInt32]) -> Bool {
    switch test {
    case .equals: !hasUnknown && members.count == numbers.count && members.allSatisfy(numbers.contains)
    case .overlaps: members.contains(where: numbers.contains)
    case .containsAll:
      !hasUnknown && numbers.count <= members.count
        && members.reduce(0) { $0 + (numbers.contains($1) ? 1 : 0) } == numbers.count
    }
  }
}
