internal import CLMDB
internal import StoreFiles
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The room that the file has, and the part of it that is kept for getting out of a full disk.
///
/// LMDB never writes over a page in use: whoever deletes something needs new pages first. So the file has more blocks of the disk
/// than it has pages in use, and only what makes the store smaller may use the last of them: the *reserve*. Blocks behind the end
/// of the file are its own as well, and no other file gets them. What it has beside the reserve goes back to the disk: see
/// `giveBackPages`.
extension Environment {
  /// The bytes that are kept for deletions, in a file with so many bytes in use: pages that a deletion changes all over its trees.
  package static func reserve(besideUsed used: Int) -> Int { min(max(used / 4, 256 << 10), 32 << 20) }

  /// How many bytes of the reserve the file has blocks for: all where the disk has little. Where it has plenty, 4 MiB, and the rest is taken
  /// when that changes.
  package func keptBytes(besideUsed used: Int) -> Int {
    if let kept = options.givingBack.kept { return kept }
    let reserve = Self.reserve(besideUsed: used)
    return isPlenty(reserve) ? min(reserve, options.givingBack.keptWherePlenty) : reserve
  }

  /// What is known of the room that is left.
  enum Shortage: UInt8, AtomicRepresentable { case unknown, plenty, short }

  /// Whether little room is left, or a write has lately found none. As long as that is so, each first takes back what can be used
  /// again. O(1) but for the first call. Not inside a transaction.
  package var isShortOfRoom: Bool {
    if shortage.load(ordering: .relaxed) == .unknown { findShortage() }
    return shortage.load(ordering: .relaxed) == .short
  }

  /// Looks how much room is left, and takes the blocks that the file has to have. O(free list). Not inside a transaction.
  package func findShortage() {
    // Entered for the second look as well: somebody may close or suspend the environment after the first one, and unmap the file.
    guard let used = usedBytes, unsafe (try? enter("look for room")) != nil else { return }
    defer { leave() }
    noteRoom(besides: used)
  }

  /// Notes whether there is room for more than a write or two: a sixteenth of what is in use, or a megabyte in a small file. Only
  /// inside.
  func noteRoom(besides used: Int) {
    let margin = max(used / 16, min(used / 2, 1 << 20))
    let hasRoom = hasRoom(for: used, atMost: saturating(used, margin))
    shortage.store(hasRoom ? .plenty : .short, ordering: .relaxed)
  }

  /// The most bytes that the disk, or the limit of the file, could ever give.
  package var mostBytes: Int {
    var space = statvfs()
    guard let file = unsafe descriptor(handleInside), unsafe fstatvfs(file, &space) == 0 else {
      return options.maxMapSize
    }
    let (bytes, overflow) = UInt64(space.f_blocks).multipliedReportingOverflow(by: UInt64(space.f_frsize))
    return min(options.maxMapSize, overflow ? .max : Int(clamping: bytes))
  }

  /// Bytes of the pages that the last commit uses; nil if that cannot be told. O(free list).
  package var usedBytes: Int? {
    (try? info).map { max(0, Int(clamping: $0.lastPage) + 1 - $0.freePages) * $0.pageSize }
  }

  /// Whether the file has room for so many bytes in use and the reserve beside them. Takes blocks from the disk for that if it has
  /// too few, of the reserve for what it keeps of that.
  ///
  /// Where the disk cannot give blocks to a file before they are written, as file systems that never write in place, it is only
  /// asked how many are free.
  /// - Parameter most: What may be needed instead for a while. That the disk has, too, but the file takes it only where it is scarce.
  package func hasRoom(for bytes: Int, atMost most: Int = 0) -> Bool {
    let reserve = Self.reserve(besideUsed: bytes)
    let (wanted, greatest) = (
      saturating(bytes, keptBytes(besideUsed: bytes)), saturating(max(bytes, most), reserve)
    )
    guard mayMap(greatest), Self.isAllowed(saturating(bytes, reserve)), takeBlocks(through: wanted) else {
      return false
    }
    guard greatest > wanted, let file = unsafe descriptor(handleInside),
      let own = FileBlocks(file: file).size?.blocks
    else { return true }
    return isPlenty(greatest - own) || takeBlocks(through: greatest)
  }

  /// How many times what is needed has to be free, so that others are not expected to take it meanwhile.
  static let plenty = 8

  /// Makes sure that the file has blocks of its own for so many bytes. Returns false if the disk or a limit does not give them. Only
  /// inside.
  ///
  /// Those that were given back inside the file are taken again only where they are scarce.
  func takeBlocks(through end: Int, scarce isScarce: Bool = false) -> Bool {
    guard let file = unsafe descriptor(handleInside), Self.isAllowed(end) else { return false }
    let blocks = FileBlocks(file: file)
    guard let size = blocks.size else { return false }
    let lack = end - size.blocks
    guard lack > 0 else { return true }
    var outcome = FileBlocks.Outcome.done
    if size.blocks < size.file {
      if !isScarce, isPlenty(lack) { return true }
      outcome = fillHoles(of: blocks, until: end)
    }
    if outcome == .done, end > size.file { outcome = blocks.take(size.file..<end) }
    return outcome == .unsupported ? (freeBytes ?? .max) >= lack : outcome == .done
  }

  /// Whether the disk has so much more that others are not expected to take so many bytes before the file does.
  func isPlenty(_ bytes: Int) -> Bool {
    freeBytes.map { bytes <= $0 / Self.plenty } ?? false
  }

  /// Whether the system lets this process write so far: beyond its limit it would be sent a signal.
  private static func isAllowed(_ end: Int) -> Bool {
    var limit = rlimit()
    #if canImport(Glibc)
      let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      let code = unsafe getrlimit(RLIMIT_FSIZE, &limit)
    #endif
    return code != 0 || UInt64(limit.rlim_cur) >= UInt64(end)
  }

  /// The bytes that are free on the disk.
  var freeBytes: Int? {
    var space = statvfs()
    guard let file = unsafe descriptor(handleInside), unsafe fstatvfs(file, &space) == 0 else { return nil }
    let (bytes, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
    return overflow ? .max : Int(clamping: bytes)
  }

  /// Gives blocks behind the end back that a long journal needed, before the file is closed: what it keeps of the reserve stays, of which free
  /// pages are a part. Only for whoever has LMDB's write transaction, or its turn, and is the only one who has the file open.
  package func giveBackBlocks() {
    let (end, _, pageSize) = unsafe mapUse(handleInside)
    // What the free pages are is only asked where there are blocks behind the end.
    guard let file = unsafe descriptor(handleInside), let given = FileBlocks(file: file).size?.blocks,
      given > saturating(end, options.givingBack.least), let free = freePagesInside?.count
    else { return }
    let used = max(0, end - free * pageSize)
    let kept = max(end, saturating(used, keptBytes(besideUsed: used)))
    // Not where others wait for blocks: they could be faster than this file with those that it keeps.
    guard given > saturating(kept, options.givingBack.least), isPlenty(kept),
      FileBlocks(file: file).giveBackBehindEnd()
    else { return }
    _ = takeBlocks(through: kept)
  }

  /// Whether the map has so many bytes, or may grow to them and the system grants the address space.
  private func mayMap(_ end: Int) -> Bool {
    let (_, mapped, _) = unsafe mapUse(handleInside)
    if end <= mapped { return true }
    return end <= options.maxMapSize && Self.addressSpaceAllows(mapSize(forUsed: end))
  }

  func descriptor(_ handle: OpaquePointer) -> Int32? {
    var file: Int32 = -1
    return unsafe mdb_env_get_fd(handle, &file) == 0 ? file : nil
  }

  func saturating(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
