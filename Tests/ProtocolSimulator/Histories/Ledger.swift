/// What has been committed, and what therefore may be read.
///
/// Each attempt to commit is a node under the state that its writer has begun with. A state that is read must be such a node. It must
/// come after the last commit that was acknowledged when the read began, and must not be one that was refused, or one that was
/// lost with the power and was not there when somebody looked first.
final class Ledger {
  enum Fate { case unknown, refused, acknowledged }

  final class Node {
    let parent: Node?
    let commit: UInt64
    let content: Content
    /// The start of the machine in which it was last attempted.
    var boot: Int
    var fate = Fate.unknown

    init(_ parent: Node?, _ commit: UInt64, _ content: Content, boot: Int) {
      self.parent = parent
      self.commit = commit
      self.content = content
      self.boot = boot
    }
  }

  private let machine: Machine
  private var nodes: [UInt64: Node] = [:]
  /// The last commit that has returned, and the last one that a loss of power must not take.
  private(set) var last: Node
  private var lastDurable: Node
  /// What the first read after the last loss of power has found.
  private var found: Node?
  private(set) var acknowledged = 0
  /// Whether somebody has seen since the last loss of power what is there.
  var isFound: Bool { found != nil }

  init(_ machine: Machine) {
    self.machine = machine
    last = Node(nil, 1, Content(), boot: 1)
    last.fate = .acknowledged
    lastDurable = last
    found = last
    nodes[0] = last
  }

  /// Notes that somebody tries to commit.
  func attempt(after parent: Node, _ commit: UInt64, _ content: Content) -> Node {
    if let known = nodes[content.digest] {
      // The same once more, by somebody who does not know of the first one.
      known.boot = machine.boot
      if known.fate == .refused { known.fate = .unknown }
      return known
    }
    let node = Node(parent, commit, content, boot: machine.boot)
    nodes[content.digest] = node
    return node
  }

  func acknowledge(_ node: Node, isDurable: Bool) {
    guard follows(node, last) else {
      return machine.fail(
        "commit \(node.commit) returns, and does not follow commit \(last.commit), which has returned")
    }
    node.fate = .acknowledged
    acknowledged += 1
    last = node
    if isDurable { lastDurable = node }
    machine.note { "commit \(node.commit) has returned" }
  }

  /// Notes that a commit has failed with the promise that nothing of it is stored.
  func refuse(_ node: Node) { if node.fate == .unknown { node.fate = .refused } }

  func cutPower() {
    last = lastDurable
    found = nil
  }

  /// Looks whether a state may be read.
  /// - Parameter floor: The last commit that had returned when the read began.
  func check(_ content: Content, _ commit: UInt64, after floor: Node, boot: Int, by who: String) -> Node? {
    guard let node = nodes[content.digest], node.content == content else {
      machine.fail(
        "\(who) reads at commit \(commit) what no commit has left: \(content), and not "
          + "\(nodes.values.filter { $0.commit == commit }.map(\.content))")
      return nil
    }
    guard node.commit == commit else {
      machine.fail("\(who) reads the state of commit \(node.commit) under the number \(commit)")
      return nil
    }
    guard follows(node, floor) else {
      machine.fail("\(who) reads commit \(commit), and commit \(floor.commit) had returned")
      return nil
    }
    if let found {
      guard follows(node, found) else {
        machine.fail(
          "\(who) reads commit \(commit), which does not follow commit \(found.commit), found after the start"
        )
        return nil
      }
      var above = node
      while above !== found, let parent = above.parent {
        if above.boot != machine.boot {
          machine.fail("\(who) reads commit \(commit), and commit \(above.commit) was lost with the power")
          return nil
        }
        above = parent
      }
    } else {
      found = node
      machine.note { "the store is found at commit \(commit)" }
    }
    if node.fate == .refused {
      machine.fail("\(who) reads commit \(commit), of which its writer was told that nothing is stored")
      return nil
    }
    return node
  }

  /// Whether a node is another one, or comes after it.
  private func follows(_ node: Node, _ earlier: Node) -> Bool {
    var above = node
    while above.commit > earlier.commit, let parent = above.parent { above = parent }
    return above === earlier
  }
}
