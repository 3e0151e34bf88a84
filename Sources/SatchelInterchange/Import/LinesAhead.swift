internal import LMDB
import SatchelModel

/// The lines of a file, decoded by a thread of its own ahead of the one that takes them.
///
/// They come in the order of the file. What is ahead is bounded: by the memory that it takes, or one line if that is longer.
final class LinesAhead {
  private struct Batch: Sendable {
    var lines: [LineDecoder.Line] = []
    /// The bytes of the file that the lines take.
    var bytes = 0

    /// About the memory that they take, decoded.
    var cost: Int { bytes + 256 * lines.count }
  }

  private struct Shelf: Sendable {
    var batches: [Batch] = []
    /// What the batches cost.
    var cost = 0
    /// How the file has ended: the keys passed over, or what is wrong with it. Told after all batches.
    var outcome: Result<Int, any Error>?
    /// Set when nobody takes any more.
    var isStopped = false
  }

  private let shelf = Monitor(Shelf())
  private var lines: [LineDecoder.Line].Iterator = [].makeIterator()
  /// Lines for one transaction, the first one last.
  private var gathered: [LineDecoder.Line] = []
  /// The bytes of the file up to the last of them.
  private var end = 0
  /// Keys that the format does not have and that were passed over; known at the end of the file.
  private(set) var unknownKeys = 0

  /// Reads the header of a file here, and everything behind it on a new thread. `stop` has to follow.
  /// - Throws: `Importer.Failure` or `FileDescriptorError` of the header, or ``SatchelError`` `io`.
  init(descriptor: Int32, lineLimit: Int) throws {
    let feeder = Feeder(shelf)
    let decoder = LineDecoder(descriptor: descriptor, lineLimit: lineLimit) { try feeder.handOver() }
    try decoder.readHeader()
    guard BackgroundThread.start({ feeder.run(decoder) }) else {
      throw SatchelError(.io, "The system has no thread left", ["operation": "import"])
    }
  }

  /// The next line; nil at the end of the file.
  /// - Throws: what `LineDecoder.next` has thrown, once all lines before it are taken.
  func next() throws -> LineDecoder.Line? {
    while true {
      if let line = lines.next() { return line }
      guard let batch = try take() else { return nil }
      lines = batch.lines.makeIterator()
    }
  }

  /// Waits until there are lines, and gathers some for `nextGathered`: as many as are wanted, or fewer where the file keeps
  /// one waiting, so that what it had is not kept back by what it may never have.
  /// - Returns: False at the end of the file.
  /// - Throws: As `next`.
  func gather(lines count: Int, bytes: Int) throws -> Bool {
    guard gathered.isEmpty else { return true }
    let start = end
    guard let first = try next() else { return false }
    gathered.append(first)
    end = first.end
    let limit = deadline(afterSeconds: Self.patience)
    while gathered.count < count, end - start < bytes {
      if let line = lines.next() {
        gathered.append(line)
        end = line.end
        continue
      }
      let isThere = shelf.locked(when: { !$0.batches.isEmpty || $0.outcome != nil }, until: limit) {
        shelf, _ in
        !shelf.batches.isEmpty
      }
      // What is wrong with the file is told when these lines are taken.
      guard isThere, let batch = try take() else { break }
      lines = batch.lines.makeIterator()
    }
    gathered.reverse()
    return true
  }

  /// The next line that was gathered; nil behind the last.
  func nextGathered() -> LineDecoder.Line? { gathered.popLast() }

  /// For how many seconds a few lines wait for more, since a transaction costs the same for one as for many.
  private static let patience = 0.1

  /// Ends the thread, and waits until it has done with the file.
  func stop() {
    shelf.locked { $0.isStopped = true }
    shelf.notify()
    shelf.locked(when: { $0.outcome != nil }) { _, _ in }
  }

  private func take() throws -> Batch? {
    let (batch, outcome) = shelf.locked(when: { !$0.batches.isEmpty || $0.outcome != nil }) { shelf, _ in
      guard !shelf.batches.isEmpty else { return (Batch?.none, shelf.outcome) }
      let batch = shelf.batches.removeFirst()
      shelf.cost -= batch.cost
      return (batch, nil)
    }
    if let batch {
      shelf.notify()
      return batch
    }
    if let outcome { unknownKeys = try outcome.get() }
    return nil
  }

  /// The side of the thread. Only that thread uses it, once it runs.
  private final class Feeder: @unchecked Sendable {
    private let shelf: Monitor<Shelf>
    private var batch = Batch()
    /// The bytes of the file in the batches before.
    private var bytes = 0

    private static let batchCost = 64 << 10
    private static let costAhead = 512 << 10

    init(_ shelf: Monitor<Shelf>) {
      self.shelf = shelf
    }

    func run(_ decoder: LineDecoder) {
      let outcome = Result {
        while let line = try decoder.next() {
          batch.lines.append(line)
          batch.bytes = line.end - bytes
          if batch.cost >= Self.batchCost { try handOver() }
        }
        return decoder.unknownKeys
      }
      shelf.locked {
        if !batch.lines.isEmpty { $0.batches.append(batch) }
        $0.outcome = outcome
      }
      shelf.notify()
    }

    /// Puts what there is on the shelf, once it has room.
    /// - Throws: `CancellationError` when nobody takes any more.
    func handOver() throws {
      try shelf.locked(when: { $0.isStopped || $0.cost < Self.costAhead }) { shelf, _ in
        guard !shelf.isStopped else { throw CancellationError() }
        guard !batch.lines.isEmpty else { return }
        shelf.batches.append(batch)
        shelf.cost += batch.cost
      }
      shelf.notify()
      bytes += batch.bytes
      batch = Batch()
    }
  }
}
