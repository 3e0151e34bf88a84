import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// A store as a process leaves it that was killed: its last commits are in the journal alone, and the head still says so. Each
/// commit follows one user, so that what the store holds says which commit it is at.
struct StoreAtRest {
  static let files = ["data.mdb", "journal", "journal.head"]

  let directory: TemporaryDirectory
  let path: String
  let commits: Int
  private let contents: [[UInt8]]

  /// - Parameter change: Does something to the open store before a commit.
  init(
    commits: Int, options change: (inout Store.Options) -> Void = { _ in },
    before: (Store, Int) throws -> Void = { _, _ in }
  ) throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/store"
    self.commits = commits
    var options = Store.Options()
    options.journal.commitsBefore = 0
    options.journal.limits.segmentSize = 8192
    change(&options)
    let store = try Store.open(directory: path, user: "me", options: options)
    for number in 0..<commits {
      try before(store, number)
      try store.write { try $0.setFollowed(true, Identity.ID("user \(number)")) }
    }
    contents = try Self.files.map { [path] in try JournaledStore.readFile(path + "/" + $0) }
    store.close()
    try place()
  }

  var journal: [UInt8] { contents[1] }
  var head: [UInt8] { contents[2] }

  /// Puts the files back as they were left, or with other bytes, in place: they stay the same files.
  func place(journal: [UInt8]? = nil, head: [UInt8]? = nil) throws {
    for (name, bytes) in zip(Self.files, [contents[0], journal ?? self.journal, head ?? self.head]) {
      try JournaledStore.writeFile(bytes, to: path + "/" + name)
    }
  }

  /// Opens the store, or a copy of it, and returns how many commits it has.
  /// - Throws: What opening it throws; it has changed nothing then.
  func open(
    readOnly: Bool, at copy: String? = nil, _ change: (inout Store.Options) -> Void = { _ in }
  ) throws -> Int {
    let path = copy ?? self.path
    var options = Store.Options()
    options.create = false
    options.readOnly = readOnly
    options.journal.commitsBefore = 0
    change(&options)
    let before = try JournaledStore.readFile(path + "/journal")
    let store: Store
    do {
      store = try Store.open(directory: path, user: nil, options: options)
    } catch {
      let after = try JournaledStore.readFile(path + "/journal")
      #expect(after == before, "a journal was changed that was refused")
      throw error
    }
    defer { store.close() }
    let found = try store.read { snapshot in
      try (0..<commits + 1).filter { try snapshot.users.number(of: "user \($0)") != nil }
    }
    #expect(found == Array(0..<found.count), "a commit is missing before a later one: \(found)")
    try expectSound(store)
    return found.count
  }
}
