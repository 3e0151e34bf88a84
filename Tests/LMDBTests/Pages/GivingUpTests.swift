import LMDB
import LMDBPages
import LMDBScenes
import StoreFiles
import TestSupport
import Testing

/// Databases whose values can be made again: whatever is wrong with their pages, a write gives them up if nothing else is wrong.
@Suite struct GivingUpTests {
  private static let names = ["nodes", "objects"]

  private static let sound = Result { try BusyStore.image(messages: 2500, seed: 3) }

  /// The file without a leaf in the middle of the objects'.
  private static func withoutALeaf(_ image: StoreImage) -> StoreImage {
    var damaged = image
    let leaves = image.leaves(image.tree("objects"))
    Damage.zeros.apply(leaves[leaves.count / 2], &damaged)
    return damaged
  }

  /// Opens a store whose file has these bytes, of which a large one is one whose pages are checked when they are used.
  private func open(_ image: StoreImage, _ scratch: Scratch, isLarge: Bool) throws -> BusyStore {
    image.save(scratch)
    return try BusyStore(scratch, create: false) { options in
      options.durability = .temporaryImport
      if isLarge { options.pageChecks.store = 16 }
    }
  }

  /// The pages of a tree.
  private func pages(_ image: StoreImage, _ name: String) -> Int {
    let tree = image.tree(name)
    return [tree.branchPages, tree.leafPages, tree.overflowPages].reduce(0) {
      $0 + Int(image[$1, UInt64.self])
    }
  }

  /// What may happen to a page.
  enum Damage: CaseIterable {
    case zeros, noise, torn, number, flags, noPages, morePages, fewerPages, sector, other

    func apply(_ page: Int, _ image: inout StoreImage) {
      let start = page * StoreImage.pageSize
      let end = start + StoreImage.pageSize
      switch self {
      case .zeros: for place in start..<end { image[place, UInt8.self] = 0 }
      case .noise: for place in start..<end { image[place, UInt8.self] = UInt8(place * 167 % 251) }
      case .torn: for place in start + 512..<end { image[place, UInt8.self] = 0 }
      case .number: image.flip(bit: 5, at: start)
      case .flags: image.flip(bit: 1, at: start + 10)
      case .noPages: image[start + 12, UInt32.self] = 0
      case .morePages: image[start + 12, UInt32.self] += 1
      case .fewerPages: image[start + 12, UInt32.self] -= 1
      case .sector: for place in start..<start + 512 { image[place, UInt8.self] = UInt8(place % 251) }
      case .other:
        // The number that belongs here, over the root of another tree.
        let root = Int(image[image.tree("messages").root, UInt64.self]) * StoreImage.pageSize
        for place in 8..<StoreImage.pageSize {
          image[start + place, UInt8.self] = image[root + place, UInt8.self]
        }
      }
    }
  }

  @Test(arguments: Damage.allCases) func whateverIsDamaged(_ damage: Damage) throws {
    let image = try Self.sound.get()
    for name in Self.names {
      let tree = image.tree(name)
      let (levels, overflows) = (image.levels(tree), image.overflows(tree))
      let all = damage == .noise ? [levels.flatMap(\.self)] : []
      let some = [
        levels[0], [levels[levels.count - 1][0]],
        [overflows[1], overflows[overflows.count / 2], overflows[overflows.count - 1]],
      ]
      for (index, pages) in (some + all).enumerated() {
        var damaged = image
        for page in pages { damage.apply(page, &damaged) }
        let isLarge = (index % 2 == 0) == (name == "nodes")
        try expectGivenUp(damaged, of: image, isLarge: isLarge, "\(name), pages \(pages.prefix(3))")
      }
    }
  }

  /// Expects that a write gives the databases up, and leaves a store that is sound and has all else.
  private func expectGivenUp(
    _ damaged: StoreImage, of image: StoreImage, isLarge: Bool, _ what: String
  ) throws {
    let scratch = Scratch()
    let store = try open(damaged, scratch, isLarge: isLarge)
    defer { store.close() }
    let (plain, report) = try store.environment.read { transaction in
      try (transaction.auditPages(), transaction.auditPages(givingUp: Self.names))
    }
    // What lies behind the part of a page that is in use is no damage if it changes.
    guard !plain.isSound else { return }
    #expect(!plain.mayGiveUp && report.mayGiveUp && report.faultCount == plain.faultCount, "\(what)")
    #expect(try !store.environment.read { try $0.auditPages(givingUp: ["messages"]) }.mayGiveUp, "\(what)")
    let messages = try store.countMessages()
    try store.environment.write(givingUp: Self.names) { transaction in
      #expect(transaction.givenUpPages == Self.names.reduce(0) { $0 + pages(image, $1) }, "\(what)")
      try transaction.deleteAll(in: store.nodes, and: store.objects)
      #expect(transaction.givenUpPages == nil)
      // What is made again goes on from there.
      try transaction.put(store.nodes, [0, 0, 0, 0, 0, 0, 0, 9], BusyStore.value(9, count: 4080))
      try transaction.put(store.objects, Array("object".utf8), [7])
      var cursor = try transaction.cursor(store.nodes)
      #expect(try cursor.next()?.value.count == 4080 && cursor.next() == nil)
    }
    #expect(try store.audit().faults == [], "\(what)")
    #expect(try store.countMessages() == messages)
    #expect(try store.environment.read { try $0.get(store.objects, "object") } != nil)
    try store.fill(300, from: 5000)
    #expect(try store.audit().isSound, "\(what)")
    try store.environment.write(givingUp: Self.names) { #expect($0.givenUpPages == nil) }
  }

  /// A leaf of theirs that names pages of others, or too many: nothing of others is freed.
  @Test func leavesThatNameOtherPages() throws {
    let image = try Self.sound.get()
    let nodes = image.tree("nodes")
    let value = image.leaves(nodes).flatMap(image.nodes).filter(\.isOverflow)[4]
    let free = Int(image[image.freeNumbers()[2], UInt64.self])
    for page in [image.overflows(nodes)[9], image.leaves(image.tree("messages"))[3], free] {
      var damaged = image
      damaged[value.value, UInt64.self] = UInt64(page)
      try expectGivenUp(damaged, of: image, isLarge: page % 2 == 0, "page \(page)")
    }
    var damaged = image
    damaged[value.start, UInt32.self] += 4096
    try expectGivenUp(damaged, of: image, isLarge: true, "a longer value")
  }

  /// More pages than one page of a list can name.
  @Test func manyPages() throws {
    let scratch = Scratch()
    let store = try BusyStore(scratch) { $0.durability = .temporaryImport }
    try store.fill(400)
    try store.environment.write { transaction in
      for number in 0..<1200 {
        let key = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
        try transaction.put(store.nodes, key, BusyStore.value(number, count: 4080))
      }
    }
    store.close()
    let image = StoreImage(scratch)
    var damaged = image
    Damage.zeros.apply(image.levels(image.tree("nodes"))[0][0], &damaged)
    try expectGivenUp(damaged, of: image, isLarge: true, "many pages")
  }

  @Test(arguments: [1, 2, 407, 408, 409, 5000, 408 * 408 + 5])
  func aListNamesEachPageOnce(count: Int) throws {
    var listed = PageSet(limit: UInt64(3 * count + 10))
    for index in 0..<count { _ = listed.insert(UInt64(3 * index + 5)) }
    let first: UInt64 = 1 << 33
    let list = ListingTree(of: listed, from: first, pageSize: 4096)
    #expect(list.bytes.count == 4096 * ListingTree.pages(toList: count, 4096))
    func number<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: T.Type) -> T {
      list.bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: T.self) }
    }
    var level = [list.record.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 40, as: UInt64.self) }]
    var own: Set<UInt64> = [first]
    for _ in 1..<list.depth {
      level = level.flatMap { page in
        let start = Int(page - first) * 4096
        #expect(own.insert(page).inserted && number(start, UInt64.self) == page)
        #expect(number(start + 10, UInt16.self) == 1)
        let children = (Int(number(start + 12, UInt16.self)) - 16) / 2
        #expect(children >= 2)
        return (0..<children).map { slot in
          let node = start + Int(number(start + 16 + 2 * slot, UInt16.self))
          #expect(node >= start + Int(number(start + 14, UInt16.self)) && node + 8 <= start + 4096)
          return number(node, UInt64.self)
        }
      }
    }
    #expect(own.count * 4096 == list.bytes.count)
    #expect(level == [first] + listed.numbers)
  }

  /// Nothing is given up if anything else is wrong: pages that seem to be theirs may be what another tree has lost.
  @Test func nothingIsGivenUpWhereMoreIsWrong() throws {
    let image = try Self.sound.get()
    let others: [(String, (inout StoreImage) throws -> Void)] = [
      ("a leaf", { Damage.zeros.apply($0.leaves($0.tree("messages"))[2], &$0) }),
      ("a branch page", { Damage.number.apply($0.levels($0.tree("messages"))[0][0], &$0) }),
      ("the main table", { $0.flip(bit: 1, at: $0.tree("nodes").leafPages) }),
      ("the free list", { $0[$0.freeNumbers()[3], UInt64.self] = $0[$0.freeNumbers()[4], UInt64.self] }),
      (
        "a page that nobody has",
        { image in
          let record = try #require(image.freeRecords().first { $0.numbers.count > 16 })
          image[record.count, UInt64.self] = 0
        }
      ),
      (
        "a page that another tree has, and the free list",
        { $0[$0.freeNumbers()[0], UInt64.self] = UInt64($0.leaves($0.tree("messages")).max() ?? 0) }
      ),
    ]
    for (what, change) in others {
      var damaged = image
      Damage.zeros.apply(image.leaves(image.tree("nodes"))[0], &damaged)
      try change(&damaged)
      try expectRefused(damaged, what)
    }
  }

  private func expectRefused(_ image: StoreImage, _ what: String) throws {
    for isLarge in [false, true] {
      let scratch = Scratch()
      let store = try open(image, scratch, isLarge: isLarge)
      defer { store.close() }
      #expect(
        try !store.environment.read { try $0.auditPages(givingUp: Self.names) }.mayGiveUp, "\(what)")
      let refusal = code {
        try store.environment.write(givingUp: Self.names) { transaction in
          try transaction.deleteAll(in: store.nodes, and: store.objects)
        }
      }
      #expect(refusal == .corrupted, "\(what)")
      let after = contents(of: scratch.data)
      #expect(after[8192..<image.bytes.count] == image.bytes[8192...])
    }
  }

  /// A write that ends without a commit leaves the file as it was, and no later one trusts what is damaged.
  @Test(arguments: [false, true]) func nothingIsChangedWithoutACommit(isLarge: Bool) throws {
    let image = try Self.sound.get()
    let damaged = Self.withoutALeaf(image)
    let scratch = Scratch()
    let store = try open(damaged, scratch, isLarge: isLarge)
    defer { store.close() }
    var midst: StoreImage?
    #expect(throws: CancellationError.self) {
      try store.environment.write(givingUp: Self.names) { transaction in
        // What is whole can be read until then.
        let key = Array(damaged.bytes[damaged.nodes(image.leaves(image.tree("objects"))[0])[0].key])
        try transaction.readBefore { before in
          let value = try key.withUnsafeBytes { try before.get(store.objects, $0).map { [UInt8]($0) } }
          #expect(value != nil)
        }
        try transaction.deleteAll(in: store.nodes, and: store.objects)
        midst = StoreImage(scratch)
        throw CancellationError()
      }
    }
    #expect(try !store.audit().isSound)
    #expect(code { try store.environment.write { try $0.deleteAll(in: store.objects) } } == .corrupted)
    // So does a process that is killed in the midst of it.
    for after in [StoreImage(scratch), try #require(midst)] {
      try expectGivenUp(after, of: image, isLarge: isLarge, "after one that was broken off")
    }
  }

  /// Who reads meanwhile sees to its end what was there.
  @Test func readersAreNotDisturbed() throws {
    let image = try Self.sound.get()
    let damaged = Self.withoutALeaf(image)
    let scratch = Scratch()
    let store = try open(damaged, scratch, isLarge: true)
    defer { store.close() }
    let (isReading, isChanged) = (Signal(), Signal())
    let reader = Worker {
      try store.environment.read { transaction in
        func read() throws -> [[UInt8]] {
          var values: [[UInt8]] = []
          var cursor = try transaction.cursor(store.nodes)
          while let entry = try cursor.next() { values.append([UInt8](entry.value)) }
          return values
        }
        let before = try read()
        isReading.set()
        isChanged.wait()
        return try (before, read())
      }
    }
    isReading.wait()
    try store.environment.write(givingUp: Self.names) { transaction in
      try transaction.deleteAll(in: store.nodes, and: store.objects)
    }
    for start in [5000, 6000, 7000] { try store.fill(300, from: start) }
    isChanged.set()
    let (before, after) = try reader.value()
    #expect(before == after && before.count > 100)
    #expect(try store.audit().isSound)
  }

  /// Flips of chance: a write that may give up refuses the store, or leaves it sound.
  @Test func flipsOfChance() throws {
    let image = try Self.sound.get()
    var random = SeededGenerator()
    var (givenUp, refused) = (0, 0)
    for flip in PageGuardTests.flips(image, TestEnvironment.rounds(80), &random) {
      var damaged = image
      damaged.flip(bit: flip.bit, at: flip.offset)
      let scratch = Scratch()
      do {
        let store = try open(damaged, scratch, isLarge: random.oneIn(2))
        defer { store.close() }
        let isSound = try store.audit().isSound
        try store.environment.write(givingUp: Self.names) { transaction in
          if transaction.givenUpPages != nil { givenUp += 1 }
          try transaction.deleteAll(in: store.nodes, and: store.objects)
        }
        let report = try store.audit()
        #expect(report.isSound || isSound == false, "\(flip): \(report.faults)")
        try store.fill(200, from: 5000)
      } catch let error as LMDBError {
        refused += 1
        #expect([.invalid, .corrupted, .incompatible].contains(error.code), "\(flip): \(error)")
      }
    }
    print("flipsOfChance: \(givenUp) given up, \(refused) refused")
    #expect(givenUp > 0 && refused > 0)
  }
}
