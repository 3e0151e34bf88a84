import SatchelModel
import SatchelQuery
import SatchelReading

/// A test of participants by the numbers of their user ids. Each name in the test is looked up once. Then a set of
/// participants takes as many look-ups as it has members, however many names the test has.
struct ParticipantNumbers {
  private let test: ParticipantTest
  private let numbers: Set<UInt32>
  /// True if a name has no number, because nobody has ever had that id.
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

  /// Returns whether the test holds for a set of participants; `members` has no duplicates.
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
