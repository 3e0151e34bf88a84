import Foundation
import Satchel
import Testing

/// What the article uses of UIKit.
@MainActor private final class UIApplication {
  static let shared = UIApplication()
  private(set) var tasks = 0

  func beginBackgroundTask(withName name: String) -> Int {
    tasks += 1
    return tasks
  }

  func endBackgroundTask(_ task: Int) { tasks -= 1 }
}

/// The code of the article "Suspending a store".
@Suite final class SuspendingAStoreGuide {
  let chats: GuideStore
  let directory: URL
  var store: MessageStore

  init() throws {
    chats = try GuideStore()
    directory = chats.directory
    store = chats.store
    try chats.chat("lunch", messages: 2)
  }

  @MainActor func sceneDidEnterBackground() {
    // The system waits as long as the task is not ended.
    let task = UIApplication.shared.beginBackgroundTask(withName: "messages")
    do {
      try store.suspend()
      UIApplication.shared.endBackgroundTask(task)
    } catch {
      // Something still holds the files, and gives them back when it ends.
      Task {
        try? await Task.sleep(for: .seconds(2))
        UIApplication.shared.endBackgroundTask(task)
      }
    }
  }

  @MainActor func sceneWillEnterForeground() {
    do {
      try store.resume()
    } catch {
      reopen(after: error)
    }
  }

  func giveBack(_ store: MessageStore) -> String? {
    do {
      try store.suspend()
      return nil
    } catch let error as SatchelError where error.code == .busy {
      return error.context["found"]
    } catch {
      return "\(error)"
    }
  }

  func reopen(after error: any Error) {
    store.close()
    do {
      store = try MessageStore(at: directory, user: "alice")
    } catch {
      print("The messages cannot be opened: \(error)")
    }
  }

  @MainActor @Test func backgroundAndForeground() async throws {
    let messages = try await store.liveCount(of: Message.all)
    #expect(messages.value == 2)
    sceneDidEnterBackground()
    let failure = #expect(throws: SatchelError.self) { try store.count(Message.all) }
    #expect(failure?.code == .suspended)
    #expect(messages.value == 2)
    // What an extension does.
    let other = try MessageStore(at: directory, user: "alice")
    try other.synchronously { try $0.write { _ = try $0.send([.text("Late")], to: "lunch") } }
    other.close()
    sceneWillEnterForeground()
    try #expect(store.synchronously { try $0.count(Message.all) } == 3)
    for await value in messages.values where value == 3 { break }
    #expect(messages.value == 3)
  }

  @Test func somethingIsAtWork() throws {
    let (store, read) = (store, DispatchSemaphore(value: 0))
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      try? store.read { _ in
        begun.signal()
        read.wait()
      }
      ended.signal()
    }
    begun.wait()
    let found = giveBack(store)
    #expect(found?.contains("a read") == true)
    read.signal()
    ended.wait()
    #expect(giveBack(store) == nil)
    try store.resume()
    try #expect(store.count(Message.all) == 2)
  }

  @Test func otherFiles() throws {
    let lost = store
    try lost.suspend()
    try FileManager.default.removeItem(at: directory)
    let failure = #expect(throws: SatchelError.self) { try lost.resume() }
    #expect(failure?.code == .noSuchStore)
    if let failure { reopen(after: failure) }
    #expect(try store.count(Message.all) == 0)
  }
}
