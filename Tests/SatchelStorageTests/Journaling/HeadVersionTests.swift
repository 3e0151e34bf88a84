import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// Another version of the program has the store open: its head cannot be read, and whoever comes is told so.
@Suite struct HeadVersionTests {
  @Test(arguments: [false, true]) func whoeverComesIsTold(isOpenBefore: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path: String = directory.path + "/store"
    let store = try Self.open(path)
    defer { store.close() }
    for name in ["a", "b", "c"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
    await #expect(processExitsWith: .success) {
      [path = path as String, isOpenBefore = isOpenBefore as Bool] in
      let reader = isOpenBefore ? try HeadVersionTests.open(path, readOnly: true) : nil
      try reader?.read { try #expect($0.users.number(of: "c") != nil) }
      // The version of the head, and a counter that shows that it was published.
      var head = try JournaledStore.readFile(path + "/journal.head")
      let version = head[8]
      head[8] = version &+ 1
      head[64] += 2
      for place in [8, 64] {
        try JournaledStore.write(head[place...place], to: path + "/journal.head", at: place)
      }
      for readOnly in [true, false] {
        let error = #expect(throws: SatchelError.self) {
          let store = try reader ?? HeadVersionTests.open(path, readOnly: readOnly)
          try store.read { _ in }
        }
        #expect(error?.code == .busy)
        #expect(error?.description.contains("Another version") == true, "\(error as Any)")
      }
      head[8] = version
      try JournaledStore.write(head[8...8], to: path + "/journal.head", at: 8)
      let store = try reader ?? HeadVersionTests.open(path, readOnly: true)
      try store.read { try #expect($0.users.number(of: "c") != nil) }
    }
  }

  private static func open(_ path: String, readOnly: Bool = false) throws -> Store {
    var options = Store.Options()
    options.journal.commitsBefore = 0
    options.readOnly = readOnly
    options.create = !readOnly
    return try Store.open(directory: path, user: readOnly ? nil : "me", options: options)
  }
}
