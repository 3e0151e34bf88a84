internal import LMDBPages
internal import StoreFiles
internal import Synchronization

/// Free pages whose blocks the file system has again: holes in the file.
///
/// LMDB never shortens its file, and takes every free page sooner or later. So the pages that it takes next keep their blocks, as many
/// as the reserve has, and the others are holes, which are filled again where the disk has little.
extension Environment {
  /// A way through the free pages, from the end of the file to its beginning.
  package struct GivingBack: Sendable {
    /// The lowest page that was looked at; nil at the end of the file.
    var position: UInt64?
    /// Whether there is nothing more to give back.
    package internal(set) var isOver = false
    /// How many bytes of pages were made holes, some of which may have been holes before.
    package internal(set) var bytes = 0

    package init() {}
  }

  /// Whether the file has so many blocks more than it needs that it is worth giving them back: in free pages, or behind its end if these are
  /// enough for the reserve. O(free list). Not inside a transaction.
  package var hasBlocksToGiveBack: Bool {
    guard let info = try? info else { return false }
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
      guard let (blocks, pages, most) = try pagesToGiveBack(after: access.base, isForced) else {
        return progress.isOver = true
      }
      giveBack(pages, of: blocks, atMost: most, &progress)
    }
  }

  /// The pages that may be holes, and the most bytes of them that the file can be without: it keeps the blocks of the reserve, also where
  /// some of the pages that LMDB takes next are holes of an earlier time. Nil if none may.
  private func pagesToGiveBack(
    after base: UInt64, _ isForced: Bool
  ) throws(LMDBError) -> (blocks: FileBlocks, pages: [Range<UInt64>], most: Int)? {
    guard let (file, free, used) = try pagesToTake(after: base) else { return nil }
    let reserve = Self.reserve(besideUsed: used)
    // Not where others wait for blocks: they could be faster than this file with those that it needs again.
    guard let blocks = freeBytes, isForced || blocks / Self.plenty > reserve else { return nil }
    let kept = keptBytes(besideUsed: used) / pageSize
    // The reserve is in the file then, and not behind its end.
    if free.count >= kept { file.giveBackBehindEnd() }
    guard let size = file.size else { return nil }
    let most = size.blocks - saturating(used, kept * pageSize)
    return (file, PagesToTake.runs(of: free.dropFirst(kept)), most)
  }

  /// The pages that LMDB's next transaction could write over, in the order in which it takes them, and the bytes of those in use. Nil if the
  /// file has a transaction that nobody has announced: what it has written may be in them. Only for whoever has LMDB's write transaction.
  private func pagesToTake(
    after base: UInt64
  ) throws(LMDBError) -> (file: FileBlocks, free: [UInt64], used: Int)? {
    guard let before = pageGuard.before, let descriptor = unsafe descriptor(handleInside) else { return nil }
    let roots = try? SnapshotRoots.read(of: base, from: FilePages(descriptor: descriptor, pageSize: pageSize))
    guard let roots, !roots.isFollowed, before.roots.transaction == base else { return nil }
    let oldest = unsafe try readerTable(of: handleInside).oldest ?? base
    let free: PagesToTake
    do throws(PageFault) {
      free = try PagesToTake(from: roots.freeTree, in: before.map, before: min(oldest, base))
    } catch {
      throw damage(error, "look for free pages")
    }
    let used = max(0, Int(clamping: roots.limit) - free.numbers.count - free.tooNew) * pageSize
    return (FileBlocks(file: descriptor), free.numbers, used)
  }

  /// How many bytes of free pages keep their blocks.
  private func keptBytes(besideUsed used: Int) -> Int {
    options.givingBack.kept ?? Self.reserve(besideUsed: used)
  }

  private func giveBack(
    _ pages: [Range<UInt64>], of blocks: FileBlocks, atMost most: Int, _ progress: inout GivingBack
  ) {
    var (looks, holes, rest) = (0, 0, most)
    for run in pages.reversed() {
      let upper = min(run.upperBound, progress.position ?? .max)
      guard run.lowerBound < upper else { continue }
      if looks == Self.looksOfStep || holes == Self.holesOfStep { return }
      let count = min(Int(upper - run.lowerBound), rest / pageSize)
      guard count > 0 else {
        // Some of what was given back may have been holes: the next step asks the system how much the file has.
        if holes > 0 { return }
        break
      }
      let lower = upper - UInt64(count)
      progress.position = lower
      looks += 1
      let bytes = place(of: lower..<upper)
      guard blocks.hasData(in: bytes) else { continue }
      guard blocks.giveBack(bytes) == .done else { break }
      holes += 1
      rest -= bytes.count
      progress.bytes += bytes.count
    }
    progress.isOver = true
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
      let (file, free, used) = try? pagesToTake(after: base), let size = file.size, size.blocks < size.file
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
  /// How many runs of pages a step looks at, and how many it makes holes of.
  private static let looksOfStep = 2048
  private static let holesOfStep = 256
}
