import LMDB
import LMDBScenes
import StoreFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes to stores with one wrong bit where LMDB has no checksum: none of them loses anything.
@Suite struct PageGuardTests {
  /// A bit whose change LMDB would not notice before it has overwritten something.
  struct Flip: CustomStringConvertible {
    let kind: String
    let offset: Int
    let bit: Int
    var description: String { "\(kind) at \(offset), bit \(bit)" }
  }

  private static let messages = 2500
  /// What a store says that is not opened: damaged, not a store, or the values of another tree where databases belong.
  private static let refusals: [LMDBError.Code] = [.invalid, .corrupted, .incompatible]
  private static let sound = Result { try makeSound() }

  static func makeSound() throws -> (image: StoreImage, model: StoreModel) {
    let scratch = Scratch()
    let store = try BusyStore(scratch)
    try store.fill(messages)
    var random = SeededGenerator(seed: 9)
    for _ in 0..<6 { try store.change(&random, 25, among: messages) }
    let model = try StoreModel(store)
    store.close()
    return (StoreImage(scratch), model)
  }

  /// The fields that decide which pages are overwritten, one kind after another.
  static func flips(_ image: StoreImage, _ count: Int, _ random: inout SeededGenerator) -> [Flip] {
    let trees = BusyStore.databases.map(image.tree)
    let all = trees + [image.mainTree, image.freeTree]
    let kinds: [(String, [Int], bits: Int)] = [
      ("number on the free list", image.freeNumbers(), 11),
      ("page's own number", all.flatMap { image.levels($0).joined() }.map { $0 * 4096 }, 11),
      ("first overflow page's own number", all.flatMap(image.overflows).map { $0 * 4096 }, 11),
      ("pages of a value", all.flatMap(image.overflows).map { $0 * 4096 + 12 }, 6),
      ("child of a branch page", all.flatMap(image.branches).flatMap(image.nodes).map(\.start), 11),
      ("root of a tree", all.map(\.root), 11),
      ("counts of a tree", all.flatMap { [$0.branchPages, $0.leafPages, $0.overflowPages, $0.entries] }, 8),
      ("depth of a tree", all.map(\.depth), 4),
      (
        "number of an overflow page",
        trees.flatMap(image.leaves).flatMap(image.nodes).filter(\.isOverflow).map(\.value), 11
      ),
      (
        "length of a value",
        trees.flatMap(image.leaves).flatMap(image.nodes).filter(\.isOverflow).map(\.start), 15
      ),
      ("bounds of a page", all.flatMap { image.levels($0).joined() }.map { $0 * 4096 + 12 }, 32),
      ("slot of a page", trees.flatMap { image.levels($0).joined() }.flatMap(image.nodes).map(\.slot), 12),
      ("transaction of a free record", image.freeRecords().map(\.key), 8),
      ("count of a free record", image.freeRecords().map(\.count), 8),
      ("last page", [image.meta + 136], 10),
      ("flags of a page", all.flatMap { image.levels($0).joined() }.map { $0 * 4096 + 10 }, 8),
    ]
    return (0..<count).compactMap { index in
      // Half of them where the damage is worst.
      let (name, offsets, bits) = index % 2 == 0 ? kinds[index / 2 % 4] : kinds[index / 2 % kinds.count]
      guard let offset = offsets.randomElement(using: &random) else { return nil }
      return Flip(kind: name, offset: offset, bit: Int.random(in: 0..<bits, using: &random))
    }
  }

  /// How much is checked before the first write: as usual; as in a store so large that leaves are only where they name
  /// overflow pages.
  enum Extent: CaseIterable {
    case usual
    case large

    func set(_ options: inout Environment.Options) {
      options.durability = .temporaryImport
      options.pageChecks.store = 16
      if self == .large { options.pageChecks.leaves = 0 }
    }
  }

  /// With the root of the main table changed, whatever page it leads to, the table is refused as damaged, or gives every
  /// database of some commit; it is never taken for one without databases, into which they could be made anew.
  @Test func noRootOfTheMainTableHidesTheDatabases() throws {
    let (image, _) = try Self.sound.get()
    let root = image.meta + 128
    var refused = 0
    for page in 0..<image.bytes.count / 4096 {
      let scratch = Scratch()
      var damaged = image
      damaged[root, UInt64.self] = UInt64(page)
      damaged.save(scratch)
      defer { unlink(scratch.data) }
      do {
        let store = try BusyStore(scratch, create: page % 2 == 0) { _ in }
        store.close()
      } catch let error as LMDBError {
        refused += 1
        #expect(Self.refusals.contains(error.code), "main table at page \(page): \(error)")
      }
    }
    #expect(refused > image.bytes.count / 4096 * 9 / 10)
  }

  @Test(arguments: Extent.allCases) func noWriteDestroysADamagedStore(_ extent: Extent) throws {
    var random = SeededGenerator(for: "noWriteDestroysADamagedStore")
    let (image, model) = try Self.sound.get()
    var tally = Tally()
    for flip in Self.flips(image, TestEnvironment.rounds(extent == .usual ? 150 : 60), &random) {
      var damaged = image
      damaged.flip(bit: flip.bit, at: flip.offset)
      try run(damaged, model, extent, flip, &random, &tally)
    }
    print("noWriteDestroysADamagedStore (\(extent)): \(tally)")
    #expect(tally.refused > 0 && tally.written > 0)
  }

  struct Tally {
    var notOpened = 0
    var found = 0
    var clean = 0
    var refused = 0
    var written = 0
  }

  private func run(
    _ damaged: StoreImage, _ sound: StoreModel, _ extent: Extent, _ flip: Flip,
    _ random: inout SeededGenerator,
    _ tally: inout Tally
  ) throws {
    let scratch = Scratch()
    damaged.save(scratch)
    defer { unlink(scratch.data) }
    let store: BusyStore
    do {
      store = try BusyStore(scratch, create: false, extent.set)
    } catch let error as LMDBError {
      tally.notOpened += 1
      #expect(Self.refusals.contains(error.code), "\(flip): \(error)")
      return
    }
    defer { store.close() }
    // Where even the meta pages contradict each other there is no report.
    let report = try? store.audit()
    let isFound = report?.isSound != true
    if isFound { tally.found += 1 } else { tally.clean += 1 }
    var model = sound
    let before = try model.missing(in: store)
    // The bytes of a value are its owner's to check, and so is where they end in its last page.
    if !isFound, flip.kind != "length of a value" {
      #expect(before.isEmpty, "\(flip): the pages are said to be sound, and \(before.count) values are lost")
    }
    for _ in 0..<8 {
      let changes = StoreModel.changes(&random, 12, among: Self.messages)
      do {
        try store.make(changes)
        model.apply(changes)
        tally.written += 1
      } catch let error as LMDBError {
        #expect(error.code == .corrupted && isFound, "\(flip): \(error)")
        tally.refused += 1
      }
    }
    let after = try model.missing(in: store)
    #expect(
      after.isSubset(of: before),
      "\(flip): lost \(after.subtracting(before).count) values: \(report?.faults.first?.description ?? "")")
    if !isFound {
      let report = try store.audit()
      #expect(report.isSound, "\(flip): sound before the writes, not after: \(report.faults.prefix(3))")
    }
  }

  /// Without the checks the same writes destroy stores: this sees to it that the test above can see it.
  @Test func withoutTheChecksStoresAreDestroyed() async {
    await #expect(processExitsWith: .failure) {
      // Whatever goes wrong but a lost store ends the process with success.
      do {
        let (image, sound) = try PageGuardTests.makeSound()
        var random = SeededGenerator(seed: 1)
        for flip in PageGuardTests.flips(image, 24, &random) where flip.kind.contains("number") {
          let scratch = Scratch()
          var damaged = image
          damaged.flip(bit: flip.bit, at: flip.offset)
          damaged.save(scratch)
          guard let store = try? BusyStore(scratch, create: false, { $0.pageChecks.isOn = false }) else {
            continue
          }
          var model = sound
          let before = try model.missing(in: store)
          for _ in 0..<8 {
            let changes = StoreModel.changes(&random, 12, among: 2500)
            if (try? store.make(changes)) != nil { model.apply(changes) }
          }
          let lost = try model.missing(in: store).subtracting(before).count
          if lost > 0 {
            print("\(flip): \(lost) values destroyed")
            exit(EXIT_FAILURE)
          }
        }
      } catch {
        print("\(error)")
      }
    }
  }
}
