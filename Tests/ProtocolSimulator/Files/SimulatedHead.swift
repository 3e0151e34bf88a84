internal import Journal
internal import StoreFiles
internal import TestSupport

/// The file of the head, which is never synced: after a loss of power it may be any state that it ever had.
final class HeadFile {
  let identity: FileIdentity
  var words = [UInt64](repeating: 0, count: JournalHead.size / 8)
  /// Whether it has its length: it is made in two steps.
  var isWhole = false
  private var earlier: [[UInt64]] = []

  init(_ identity: FileIdentity) { self.identity = identity }

  /// Keeps a state that the system may have written to the disk by itself.
  func keep(_ random: inout SeededGenerator) {
    guard random.oneIn(8) else { return }
    if earlier.count < 8 { earlier.append(words) } else { earlier[random.below(8)] = words }
  }

  func cutPower(_ random: inout SeededGenerator) {
    switch random.below(8) {
    case 0: words = [UInt64](repeating: 0, count: words.count)
    case 1: isWhole = false
    case 2, 3: break
    default: if !earlier.isEmpty { words = random.pick(earlier) }
    }
    if !isWhole { words = [UInt64](repeating: 0, count: words.count) }
    earlier = []
  }
}

/// The words of the head, as a process has them mapped.
final class SimulatedHead: HeadMemory, @unchecked Sendable {
  private let machine: Machine
  private let file: HeadFile

  init(_ machine: Machine, _ file: HeadFile) {
    self.machine = machine
    self.file = file
  }

  func load(_ index: Int) -> UInt64 {
    // Loads and stores are many, and few of them meet.
    if machine.random.oneIn(4) { machine.pause(9) }
    return file.words[index]
  }

  func store(_ index: Int, _ value: UInt64) {
    if machine.random.oneIn(4) { machine.pause(10) }
    guard machine.current?.process?.isDead == false else { return }
    file.words[index] = value
  }

  var identity: FileIdentity { file.identity }

  func wake() { file.keep(&machine.random) }
}
