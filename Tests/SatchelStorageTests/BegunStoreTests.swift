import Foundation
import SatchelModel
import SatchelStorage
import Synchronization
import TestSupport
import Testing

/// A store that another program is just creating: its file is there, and has no content yet.
@Suite struct BegunStoreTests {
  @Test(.timeLimit(.minutes(1))) func anOpenWaitsForWhoIsCreating() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let (isBegun, mayGoOn) = (Gate(), Gate())
    var settings = Store.Options()
    // Asked for the store's UUID, in the transaction that writes the header.
    settings.writerEnvironment.random = {
      isBegun.open()
      mayGoOn.wait()
      return 1
    }
    let options = settings
    let created = Outcome { try Store.open(directory: path, user: "me", options: options).close() }
    isBegun.wait()
    var viewer = Store.Options()
    viewer.create = false
    viewer.creationWait = 0
    let error = #expect(throws: SatchelError.self) {
      _ = try Store.open(directory: path, user: nil, options: viewer)
    }
    #expect(error?.code == .notAStore)
    #expect(error?.message.contains("being created") == true, "\(error?.description ?? "")")
    viewer.creationWait = 60
    let patient = viewer
    let opened = Outcome {
      let store = try Store.open(directory: path, user: nil, options: patient)
      #expect(store.user == "me")
      store.close()
    }
    mayGoOn.open()
    try created.get()
    try opened.get()
  }
}

/// What one thread waits for and another one opens.
private final class Gate: Sendable {
  private let isOpen = Atomic(false)
  func open() { isOpen.store(true, ordering: .releasing) }
  func wait() { while !isOpen.load(ordering: .acquiring) { usleep(200) } }
}

/// What a closure on a thread of its own comes to.
private final class Outcome: Sendable {
  private let result = Mutex<Result<Void, any Error>?>(nil)

  init(_ body: @escaping @Sendable () throws -> Void) {
    Thread { [self] in
      let result = Result { try body() }
      self.result.withLock { $0 = result }
    }.start()
  }

  func get() throws {
    while result.withLock({ $0 == nil }) { usleep(200) }
    try result.withLock { $0 }?.get()
  }
}
