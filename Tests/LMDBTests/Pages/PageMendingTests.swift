import LMDB
import LMDBPages
import LMDBScenes
import StoreFiles
import TestSupport
import Testing

/// Wrong headers of overflow pages, of databases whose values can be made again: they are written anew if nothing else is wrong.
@Suite struct PageMendingTests {
  private static let sound = Result {
    let scratch = Scratch()
    let store = try BusyStore(scratch)
    try store.fill(2500)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<6 { try store.change(&random, 20, among: 2500) }
    store.close()
    return StoreImage(scratch)
  }

  /// Opens a store whose file has these bytes, of which a large one is one whose pages are checked when they are used.
  private func open(_ image: StoreImage, _ scratch: Scratch, isLarge: Bool) throws -> BusyStore {
    image.save(scratch)
    return try BusyStore(scratch, create: false) { options in
      options.durability = .temporaryImport
      if isLarge { options.pageChecks.store = 16 }
    }
  }

  /// The pages of a file behind the meta pages.
  private func pages(_ scratch: Scratch) -> ArraySlice<UInt8> {
    contents(of: scratch.data).dropFirst(2 * 4096)
  }

  /// What may happen to a header.
  enum Damage: CaseIterable {
    case zeros, number, flags, noPages, morePages, fewerPages, sector

    func apply(_ page: Int, _ image: inout StoreImage) {
      let start = page * StoreImage.pageSize
      switch self {
      case .zeros: for place in start..<start + StoreImage.pageSize { image[place, UInt8.self] = 0 }
      case .number: image.flip(bit: 5, at: start)
      case .flags: image.flip(bit: 1, at: start + 10)
      case .noPages: image[start + 12, UInt32.self] = 0
      case .morePages: image[start + 12, UInt32.self] += 1
      case .fewerPages: image[start + 12, UInt32.self] -= 1
      case .sector: for place in start..<start + 512 { image[place, UInt8.self] = UInt8(place % 251) }
      }
    }
  }

  @Test(arguments: Damage.allCases, [false, true]) func headersAreWrittenAnew(
    _ damage: Damage, isLarge: Bool
  ) throws {
    let image = try Self.sound.get()
    // With a value that became shorter in the transaction that stored it, a longer run is no damage by itself.
    let names = damage == .morePages ? ["nodes"] : ["nodes", "objects"]
    for name in names {
      let all = image.overflows(image.tree(name))
      var damaged = image
      for page in [all[1], all[all.count / 2], all[all.count - 1]] { damage.apply(page, &damaged) }
      let scratch = Scratch()
      let store = try open(damaged, scratch, isLarge: isLarge)
      defer { store.close() }
      let (plain, mendable) = try store.environment.read { transaction in
        try (transaction.auditPages(), transaction.auditPages(mending: [name]))
      }
      #expect(!plain.isSound && plain.mendable.isEmpty)
      #expect(mendable.mendable.count == 3 && mendable.faultCount == 3, "\(mendable.faults)")
      #expect(try store.environment.read { try $0.auditPages(mending: ["messages"]) }.mendable.isEmpty)
      // The body makes all values again.
      try store.environment.write(mending: [name]) { transaction in
        #expect(transaction.mendedHeaders == 3)
        for page in mendable.mendable {
          let start = Int(page.first) * StoreImage.pageSize
          let header = Array(contents(of: scratch.data)[start..<start + 16])
          #expect(header == Array(image.bytes[start..<start + 16]), "\(name), page \(page.first)")
        }
        try transaction.deleteAll(in: store.environment.database(name))
      }
      #expect(try store.audit().faults == [])
      try store.fill(300, from: 5000)
      #expect(try store.audit().isSound)
      try store.environment.write { #expect($0.mendedHeaders == 0) }
    }
  }

  /// A header stays as it is if anything else is wrong: what names the pages may be what is damaged.
  @Test func nothingIsWrittenWhereMoreIsWrong() throws {
    let image = try Self.sound.get()
    let nodes = image.tree("nodes")
    let values = image.leaves(nodes).flatMap(image.nodes).filter(\.isOverflow)
    let page = image.overflows(nodes)[4]
    let others: [(String, (inout StoreImage) throws -> Void)] = [
      ("another database", { Damage.zeros.apply($0.overflows($0.tree("objects"))[2], &$0) }),
      ("a leaf", { $0.flip(bit: 3, at: $0.leaves($0.tree("messages"))[2] * 4096) }),
      ("the free list", { $0[$0.freeNumbers()[3], UInt64.self] = $0[$0.freeNumbers()[4], UInt64.self] }),
      (
        "a page that nobody has",
        { image in
          let record = try #require(image.freeRecords().first { $0.numbers.count > 16 })
          image[record.count, UInt64.self] = 0
        }
      ),
    ]
    for (what, change) in others {
      var damaged = image
      Damage.number.apply(page, &damaged)
      try change(&damaged)
      try expectRefused(damaged, what)
    }
    // A leaf that names another page: one in use, a free one, the neighbour; and one that says another length.
    let target = values[4]
    for number in [image.overflows(nodes)[9], Int(image[image.freeNumbers()[2], UInt64.self]), page + 1] {
      var damaged = image
      damaged[target.value, UInt64.self] = UInt64(number)
      try expectRefused(damaged, "page \(number) in place of \(page)")
    }
    var damaged = image
    damaged[target.start, UInt32.self] += 4096
    try expectRefused(damaged, "a longer value")
  }

  private func expectRefused(_ image: StoreImage, _ what: String) throws {
    for isLarge in [false, true] {
      let scratch = Scratch()
      let store = try open(image, scratch, isLarge: isLarge)
      defer { store.close() }
      #expect(
        try store.environment.read { try $0.auditPages(mending: ["nodes"]) }.mendable.isEmpty, "\(what)")
      let before = Array(pages(scratch))
      do {
        try store.environment.write(mending: ["nodes"]) { transaction in
          #expect(transaction.mendedHeaders == 0, "\(what)")
          try transaction.deleteAll(in: store.environment.database("nodes"))
          throw CancellationError()
        }
      } catch {
        #expect((error as? LMDBError)?.code == .corrupted, "\(what): \(error)")
      }
      #expect(Array(pages(scratch).prefix(before.count)) == before, "\(what)")
    }
  }

  /// Flips of chance: a write that mends refuses the store, or leaves it sound.
  @Test func flipsOfChance() throws {
    let image = try Self.sound.get()
    var random = SeededGenerator()
    var (mended, refused) = (0, 0)
    for flip in PageGuardTests.flips(image, TestEnvironment.rounds(80), &random) {
      var damaged = image
      damaged.flip(bit: flip.bit, at: flip.offset)
      let scratch = Scratch()
      do {
        let store = try open(damaged, scratch, isLarge: random.oneIn(2))
        defer { store.close() }
        let isSound = try store.audit().isSound
        try store.environment.write(mending: ["nodes", "objects"]) { transaction in
          if transaction.mendedHeaders > 0 { mended += 1 }
          for name in ["nodes", "objects"] {
            try transaction.deleteAll(in: store.environment.database(name))
          }
        }
        let report = try store.audit()
        #expect(report.isSound || isSound == false, "\(flip): \(report.faults)")
        try store.fill(200, from: 5000)
      } catch let error as LMDBError {
        refused += 1
        #expect([.invalid, .corrupted, .incompatible].contains(error.code), "\(flip): \(error)")
      }
    }
    print("flipsOfChance: \(mended) mended, \(refused) refused")
    #expect(mended > 0 && refused > 0)
  }
}
