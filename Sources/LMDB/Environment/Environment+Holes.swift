internal import LMDBPages
internal import StoreFiles
internal import Synchronization

/// Free pages whose blocks the file system has again: holes in the file.
///
/// LMDB never shortens its file, and takes every free page sooner or later. So the pages that it takes next keep their blocks, as many
/// as the reserve has of the disk, and the others are holes, which are filled again where the disk has little.
extension Environment {
  /// A way through the free pages of a state, the longest runs first: a hole of many pages costs little more than one of a page.
  package struct GivingBack: Sendable {
    /// The transaction after which the runs are free; nil before the first step.
    fileprivate var base: UInt64?
    /// Those that were not looked at, the longest last.
    fileprivate var runs: [Range<UInt64>] = []
    /// The bytes of the pages that are in use then.
    fileprivate var used = 0
    /// Whether there is nothing more to give back.
    package internal(set) var isOver = false
    /// How many bytes of pages were made holes, some of which may have been holes before.
    package internal(set) var bytes = 0

    package init() {}
  }

  /// Whether the file has so many blocks more than it needs that it is worth giving them back: in free pages, or behind its end if these are
  /// enough for the reserve. O(free list). Not inside a transaction.
  package var hasBlocksToGiveBack: Bool {
    guard let info = try? info, unsafe (try? enter("look for room")) != nil else { return false }
    defer { leave() }
    let used = max(0, Int(clamping: info.lastPage) + 1 - info.freePages) * info.pageSize
    let kept = keptBytes(besideUsed: used)
    return info.freePages * info.pageSize >= kept
      && info.diskBytes - saturating(used, kept) >= options.givingBack.least
  }

  /// Gives the blocks of some free pages back to the file system: a step of some milliseconds, beside the writers. Waits for no writer who
  /// has not begun LMDB's write transaction himself, and those who want it wait for the step.
  ///
  /// No state that anybody reads, or that a power cut could bring back, has these pages: LMDB's next transaction could write over them.
  /// - Parameters:
  ///   - progress: Where the step begins; it then says where the next one does.
  ///   - isForced: Whether to give them back also where the disk has little for the file to take again, as somebody asks for it.
  /// - Throws: As `writeBeside`.
  package func giveBackPages(_ progress: inout GivingBack, forced isForced: Bool = false) throws {
    try checkEntry("give back pages")
    guard !options.readOnly else { throw error(.readOnly, "give back pages") }
    // A file that nobody relies on yet is not in the state that LMDB says after a power cut.
    guard options.durability != .temporaryImport else { return progress.isOver = true }
    try ThreadScope.enter(number) {
      // Whoever closes the store may wait for this thread.
      let access = try beginBeside(waiting: isForced ? Self.patience : Self.patienceForStep)
      defer { access.end() }
      defer { access.abort() }
      try giveBackPages(after: access.base, isForced, &progress)
    }
  }

  /// Does the same for whoever has LMDB's write transaction. As long as nobody else commits one, the pages that were found are free: a step
  /// reads the free list only after such a commit.
  private func giveBackPages(
    after base: UInt64, _ isForced: Bool, _ progress: inout GivingBack
  ) throws(LMDBError) {
    guard let (file, roots, map) = unfollowed(base) else { return progress.isOver = true }
    var isReserveInside = false
    if progress.base != base {
      let (free, used) = try pagesToTake(after: base, roots, map)
      let kept = keptBytes(besideUsed: used) / pageSize
      progress.runs = PagesToTake.runs(of: free.dropFirst(kept)).sorted { $0.count < $1.count }
      (progress.base, progress.used, isReserveInside) = (base, used, free.count >= kept)
    }
    // Not where others wait for blocks: they could be faster than this file with those that it needs again.
    guard isForced || isPlenty(Self.reserve(besideUsed: progress.used)) else { return progress.isOver = true }
    if isReserveInside { file.giveBackBehindEnd() }
    giveBackPages(of: file, &progress)
  }

  /// Makes holes, but keeps as many blocks as the reserve has of the disk, also where some of the pages that LMDB takes next are holes of an
  /// earlier time.
  private func giveBackPages(of file: FileBlocks, _ progress: inout GivingBack) {
    let kept = saturating(progress.used, keptBytes(besideUsed: progress.used))
    guard let size = file.size else { return progress.isOver = true }
    var (rest, looks, holes, pages) = ((size.blocks - kept) / pageSize, 0, 0, 0)
    let limit = deadline(afterSeconds: options.givingBack.stepSeconds)
    while rest > 0, let run = progress.runs.popLast() {
      let isLong = holes > 0 && monotonicNanoseconds() >= limit
      if isLong || looks == Self.looksOfStep || holes == Self.holesOfStep || pages == Self.pagesOfStep {
        return progress.runs.append(run)
      }
      looks += 1
      guard file.hasData(in: place(of: run)) else { continue }
      let count = min(run.count, rest, Self.pagesOfStep - pages)
      let lower = run.upperBound - UInt64(count)
      if lower > run.lowerBound { progress.runs.append(run.lowerBound..<lower) }
      guard file.giveBack(place(of: lower..<run.upperBound)) == .done else { return progress.isOver = true }
      (rest, holes, pages) = (rest - count, holes + 1, pages + count)
      progress.bytes += count * pageSize
    }
    // Some of them may have been holes before: the next step asks the system how much the file has.
    progress.isOver = holes == 0 || progress.runs.isEmpty
  }

  /// The file and the state that LMDB's next transaction begins on. Nil if the file has a transaction that nobody has announced: what it has
  /// written may be in free pages. Only for whoever has LMDB's write transaction.
  private func unfollowed(_ base: UInt64) -> (file: FileBlocks, roots: SnapshotRoots, map: PageMap)? {
    guard let before = pageGuard.before, let descriptor = unsafe descriptor(handleInside),
      let roots = try? SnapshotRoots.read(
        of: base, from: FilePages(descriptor: descriptor, pageSize: pageSize)),
      !roots.isFollowed, before.roots.transaction == base
    else { return nil }
    return (FileBlocks(file: descriptor), roots, before.map)
  }

  /// The pages that LMDB's next transaction could write over, in the order in which it takes them, and the bytes of those in use. O(free
  /// list).
  private func pagesToTake(
    after base: UInt64, _ roots: SnapshotRoots, _ map: PageMap
  ) throws(LMDBError) -> (free: [UInt64], used: Int) {
    let oldest = unsafe try readerTable(of: handleInside).oldest ?? base
    let free: PagesToTake
    do throws(PageFault) {
      free = try PagesToTake(from: roots.freeTree, in: map, before: min(oldest, base))
    } catch {
      throw damage(error, "look for free pages")
    }
    return (free.numbers, max(0, Int(clamping: roots.limit) - free.numbers.count - free.tooNew) * pageSize)
  }

  /// Makes sure that the file has blocks of its own for so many bytes, as where the disk has little. Returns false if the disk or a limit
  /// does not give them.
  package func takesBlocks(through end: Int) -> Bool {
    guard unsafe (try? enter("look for room")) != nil else { return false }
    defer { leave() }
    return takeBlocks(through: end, scarce: true)
  }

  /// The free pages, in the order in which LMDB takes them; nil if they cannot be read. O(free list). Only inside.
  var freePagesInside: [UInt64]? {
    guard let reader = try? beginReadInsideWrite() else { return nil }
    defer { endRead(reader) }
    guard let snapshot = reader.snapshot else { return nil }
    return (try? PagesToTake(from: snapshot.freeTree, in: snapshot.map, before: .max))?.numbers
  }

  /// Takes blocks for free pages that have none, in the order in which LMDB takes the pages, until the file has so many bytes of blocks or
  /// no more holes. Only inside.
  func fillHoles(of blocks: FileBlocks, until bytes: Int) -> FileBlocks.Outcome {
    guard let free = freePagesInside else { return .noRoom }
    var rest = free[...]
    while !rest.isEmpty {
      for run in PagesToTake.runs(of: rest.prefix(Self.looksOfStep)) {
        let outcome = blocks.take(place(of: run))
        guard outcome == .done else { return outcome }
      }
      rest = rest.dropFirst(Self.looksOfStep)
      if let size = blocks.size, size.blocks >= bytes { break }
    }
    return .done
  }

  /// Sees to it, where the disk has little, that the pages that LMDB takes next have blocks, as many as the reserve: LMDB takes its pages in
  /// an order that does not ask for blocks, and what is written to a hole of a full disk fails, though other free pages have some.
  ///
  /// What the disk does not give comes from the free pages that LMDB takes last. Between giving a few blocks back and taking them again
  /// others may take them: then it ends, and the file has so many fewer. If it cannot be done, that is all: a commit that needs a block
  /// fails with `diskFull`. Only for whoever has LMDB's write transaction, before it changes anything.
  /// - Parameter base: The transaction that it begins after.
  func takeBlocksOfNextPages(after base: UInt64) {
    let (most, _, _) = unsafe mapUse(handleInside)
    guard options.durability != .temporaryImport, !isPlenty(Self.reserve(besideUsed: most)),
      let (file, roots, map) = unfollowed(base), let size = file.size, size.blocks < size.file,
      let (free, used) = try? pagesToTake(after: base, roots, map)
    else { return }
    let kept = keptBytes(besideUsed: used) / pageSize
    let step = max(1, min(256, kept / 16))
    var rest = free[...]
    while !rest.isEmpty, rest.startIndex < kept {
      // In the order in which LMDB takes them: there may not be enough for all.
      let next = PagesToTake.runs(of: rest.prefix(step))
      rest = rest.dropFirst(step)
      for run in next {
        let bytes = place(of: run)
        var outcome = file.take(bytes)
        // A file system may take some for its own notes of where the blocks are.
        for _ in 0..<Self.mostTries where outcome == .noRoom && giveBackLast(&rest, of: file, bytes.count) {
          outcome = file.take(bytes)
        }
        guard outcome == .done else { return }
      }
    }
  }

  /// Gives back blocks of the last pages of some, at least so many bytes. Returns whether it has. Those that were looked at are not among
  /// the pages any more.
  private func giveBackLast(_ pages: inout ArraySlice<UInt64>, of file: FileBlocks, _ wanted: Int) -> Bool {
    guard let before = file.size?.blocks else { return false }
    while let number = pages.popLast() {
      let bytes = place(of: number..<number + 1)
      guard file.hasData(in: bytes) else { continue }
      guard file.giveBack(bytes) == .done, let now = file.size?.blocks else { return false }
      if before - now >= wanted { return true }
    }
    return false
  }

  private func place(of pages: Range<UInt64>) -> Range<Int> {
    Int(pages.lowerBound) * pageSize..<Int(pages.upperBound) * pageSize
  }

  private static let mostTries = 4
  private static let patienceForStep = 0.1
  /// How many runs of pages a step looks at, how many holes it makes, and of how many pages.
  private static let looksOfStep = 2048
  private static let holesOfStep = 256
  private static let pagesOfStep = 4096
}
