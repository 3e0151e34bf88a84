import SatchelModel
internal import StoreFiles

/// The lines of a file, decoded by a thread of its own ahead of the thread that takes them.
///
/// The lines come in the order of the file. The memory of the lines that are ahead is bounded; a single line may
/// exceed the bound.
final class LinesAhead {
  private struct Batch: Sendable {
    var lines: [LineDecoder.Line] = []
    /// How many bytes of the file the lines take.
    var bytes = 0

    /// The memory that the decoded lines take, estimated in bytes.
    var cost: Int { bytes + 256 * lines.count }
  }

  private struct Shelf: Sendable {
    var batches: [Batch] = []
    /// The sum of the batches' costs.
    var cost = 0
    /// Batches whose lines were taken. The thread that made them frees them: memory that another thread frees has to be
    /// locked against the one that it comes from.
    var taken: [Batch] = []
    /// The end of the file: how many keys were ignored, with the first ones, or the error. It is reported after all batches.
    var outcome: Result<(Int, [Importer.UnknownKey]), any Error>?
    /// Set when no more lines will be taken.
    var isStopped = false
  }

  private let shelf = Monitor(Shelf())
  private var batch = Batch()
  /// How many lines of the batch are taken.
  private var taken = 0
  /// Lines for one transaction, in reverse order.
  private var gathered: [LineDecoder.Line] = []
  /// How many bytes the file has up to the end of the line gathered last.
  private var end = 0
  /// How many keys were ignored because the format does not have them; known at the end of the file.
  private(set) var unknownKeys = 0
  private(set) var firstUnknownKeys: [Importer.UnknownKey] = []
  /// The version of the format, as the header says.
  let version: Int64

  /// Reads the header of a file on the calling thread, and starts a thread that reads the rest. Call `stop`
  /// afterwards.
  /// - Parameter keepsLines: Whether the bytes of lines with objects come with them.
  /// - Throws: `Importer.Failure` for the header, what the input throws, or ``SatchelError`` `io` if no thread can be
  ///   started.
  init(_ input: LineInput, lineLimit: Int, keepsLines: Bool) throws {
    let feeder = Feeder(shelf)
    let decoder = LineDecoder(input, lineLimit: lineLimit, keepsLines: keepsLines) { try feeder.handOver() }
    try decoder.readHeader()
    version = decoder.version
    guard BackgroundThread.start({ feeder.run(decoder) }) else {
      throw SatchelError(.io, "The system has no thread left", ["operation": "import"])
    }
  }

  /// Returns the next line, after waiting for it if need be; nil at the end of the file.
  /// - Throws: What `LineDecoder.next` has thrown, once all lines before the error are taken.
  func next() throws -> LineDecoder.Line? {
    while true {
      if let line = nextOfBatch() { return line }
      guard try takeBatch() else { return nil }
    }
  }

  private func nextOfBatch() -> LineDecoder.Line? {
    guard taken < batch.lines.count else { return nil }
    defer { taken += 1 }
    return batch.lines[taken]
  }

  /// Waits until there are lines, and gathers some for `nextGathered`: the given number of lines or bytes, or fewer
  /// if the file keeps the caller waiting. So lines that were read are not held back by lines that may never come.
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
      if let line = nextOfBatch() {
        gathered.append(line)
        end = line.end
        continue
      }
      let isThere = shelf.locked(when: { !$0.batches.isEmpty || $0.outcome != nil }, until: limit) {
        shelf, _ in
        !shelf.batches.isEmpty
      }
      // An error in the file is thrown after these lines were taken.
      guard isThere, try takeBatch() else { break }
    }
    gathered.reverse()
    return true
  }

  /// Returns the next gathered line; nil after the last.
  func nextGathered() -> LineDecoder.Line? { gathered.popLast() }

  /// How many seconds a few lines wait for more, because a transaction costs the same for one line as for many.
  private static let patience = 0.1

  /// Stops the thread, and waits until it no longer uses the file.
  func stop() {
    shelf.locked { $0.isStopped = true }
    shelf.notify()
    shelf.locked(when: { $0.outcome != nil }) { _, _ in }
  }

  /// Takes the next batch, after waiting for it if need be. Returns false at the end of the file.
  private func takeBatch() throws -> Bool {
    let (next, outcome) = shelf.locked(when: { !$0.batches.isEmpty || $0.outcome != nil }) { shelf, _ in
      guard !shelf.batches.isEmpty else { return (Batch?.none, shelf.outcome) }
      let next = shelf.batches.removeFirst()
      shelf.cost -= next.cost
      shelf.taken.append(batch)
      return (next, nil)
    }
    if let next {
      shelf.notify()
      batch = next
      taken = 0
      return true
    }
    if let outcome { (unknownKeys, firstUnknownKeys) = try outcome.get() }
    return false
  }

  /// The part of the reading thread. Once that thread runs, only it uses this object.
  private final class Feeder: @unchecked Sendable {
    private let shelf: Monitor<Shelf>
    private var batch = Batch()
    /// How many bytes of the file the earlier batches take.
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
        return (decoder.unknownKeys, decoder.firstUnknownKeys)
      }
      shelf.locked {
        if !batch.lines.isEmpty { $0.batches.append(batch) }
        $0.outcome = outcome
      }
      shelf.notify()
    }

    /// Puts the batch on the shelf, once there is room.
    /// - Throws: `CancellationError` if no more lines will be taken.
    func handOver() throws {
      // Freed at the end of this function, while nobody has to wait for it.
      var free: [Batch] = []
      defer { free.removeAll() }
      try shelf.locked(when: { $0.isStopped || $0.cost < Self.costAhead }) { shelf, _ in
        guard !shelf.isStopped else { throw CancellationError() }
        swap(&free, &shelf.taken)
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
