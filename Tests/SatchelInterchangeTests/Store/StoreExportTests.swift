import Foundation
import Satchel
import SatchelInterchange
import Synchronization
import Testing

/// Exports that a program makes of a store that it has open.
@Suite struct StoreExportTests {
  private func chat() throws -> Chat {
    let chat = try Chat()
    try chat.store.importLines(from: .bytes(Chat.bytes(Chat.lines(messages: 4000))))
    return chat
  }

  /// Every target gets the same bytes, and a progress that grows to a total that is known from the beginning.
  @Test func writesTheSameToEveryTarget() throws {
    let chat = try chat()
    let bytes = try chat.exported()
    let file = try ScratchFile()
    var steps: [MessageStore.ExportProgress] = []
    let report = try chat.store.export(to: .file(file.file)) { steps.append($0) }
    #expect(try file.content() == bytes)
    #expect(try file.names() == ["lines.jsonl"])
    #expect(report.conversations == 1 && report.messages == 4000 && report.bytes == bytes.count)
    #expect(report.updates == 0 && report.deletions == 0 && report.overlongLines == 0)
    let sequence = try chat.store.read { $0.sequence }
    #expect(report.sequence == sequence)
    #expect(steps.map(\.objects) == [0, 1000, 2000, 3000, 4000, 4001])
    #expect(steps.allSatisfy { $0.totalObjects == 4001 })
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
    #expect(steps.last?.bytes == bytes.count)

    let other = try ScratchFile([])
    let handle = try FileHandle(forWritingTo: other.file)
    try chat.store.export(to: .descriptor(handle.fileDescriptor))
    #expect(try other.content() == bytes)
  }

  /// A file that is a part of a store is left alone, whichever store it is.
  @Test func refusesFilesOfStores() throws {
    let chat = try chat()
    let other = try Chat()
    let before = try chat.exported()
    for path in [chat.path, other.path].flatMap({ [$0 + "/data.mdb", $0 + "/lock.mdb"] }) {
      let error = #expect(throws: SatchelError.self) {
        try chat.store.export(to: .file(URL(fileURLWithPath: path)))
      }
      #expect(error?.code == .invalidValue && error?.context["path"] == path)
    }
    #expect(try chat.exported() == before)
    #expect(try chat.verify() == 0 && other.verify() == 0)
  }

  /// Whichever call of the progress throws, a file that was there is as it was, and nothing lies beside it.
  @Test func leavesTheFileWhenItEnds() throws {
    let chat = try chat()
    let old = Array("old".utf8)
    let file = try ScratchFile(old)
    for last in 1...6 {
      var calls = 0
      #expect(throws: Refusal.self) {
        try chat.store.export(to: .file(file.file)) { _ in
          calls += 1
          if calls == last { throw Refusal() }
        }
      }
      #expect(try file.content() == old && file.names() == ["lines.jsonl"])
    }
    #expect(throws: Refusal.self) { try chat.store.export(to: { _ in throw Refusal() }) }
  }

  /// A closure that keeps the snapshot for longer than its lease loses it.
  @Test func aSnapshotHasALease() throws {
    let chat = try chat()
    let error = #expect(throws: SatchelError.self) {
      try chat.store.export(to: { _ in }, lease: MessageStore.ReadLease(seconds: 0))
    }
    #expect(error?.code == .snapshotExpired)
  }

  /// What has changed since a commit brings a copy of the store of that time up to date.
  @Test func exportsWhatHasChanged() throws {
    let chat = try chat()
    let store = chat.store
    let copy = try Chat()
    var whole: [UInt8] = []
    let since = try store.export(to: { whole += $0 }).sequence
    try copy.store.importLines(from: .bytes(whole))

    try store.write { transaction in
      try transaction.markAsRead(["m1", "m2"] as [Message.ID])
      try transaction.delete("m3" as Message.ID)
      try transaction.send([.text("New")], to: "c")
    }
    var changes: [UInt8] = []
    var steps: [MessageStore.ExportProgress] = []
    let report = try store.export(to: { changes += $0 }, since: since) { steps.append($0) }
    #expect(report.sequence == since + 1)
    #expect(report.messages == 1 && report.deletions == 1 && report.updates == 2)
    #expect(steps.last.map { $0.objects == $0.totalObjects } == true)
    let imported = try copy.store.importLines(from: .bytes(changes))
    #expect(imported.messages == 1 && imported.deletions == 1 && imported.updates == report.updates)
    #expect(try copy.exported() == chat.exported())

    let error = #expect(throws: SatchelError.self) { try store.export(to: { _ in }, since: 1_000_000) }
    #expect(error?.code == .invalidValue)
  }

  @Test func refusesWhereItCannotWrite() throws {
    let chat = try chat()
    let file = try ScratchFile()
    func code(_ body: () throws -> Void) -> SatchelError.Code? {
      #expect(throws: SatchelError.self, performing: body)?.code
    }
    let missing = file.url.appendingPathComponent("none/lines.jsonl")
    #expect(code { try chat.store.export(to: .file(missing)) } == .io)
    #expect(code { try chat.store.export(to: .descriptor(-1)) } == .io)
    #expect(
      code { try chat.store.write { _ in _ = try chat.store.export(to: .file(file.file)) } }
        == .nestedTransaction)
    #expect(try file.names() == [])
  }

  @Test func runsOffTheCallersThread() async throws {
    let chat = try chat()
    let store = chat.store
    let file = try ScratchFile()
    let url = file.file
    #expect(try await store.export(to: .file(url)).messages == 4000)
    let before = try file.content()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await store.export(to: .file(url))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try file.content() == before)
  }

  @Test func givesAClosureTheSameOffTheCallersThread() async throws {
    let chat = try chat()
    let store = chat.store
    let file = try ScratchFile()
    try await store.export(to: .file(file.file))
    let bytes = Mutex<[UInt8]>([])
    let steps = Mutex(0)
    let report = try await store.export(to: { piece in bytes.withLock { $0 += piece } }) { _ in
      steps.withLock { $0 += 1 }
    }
    #expect(report.messages == 4000)
    #expect(try bytes.withLock { $0 } == file.content())
    #expect(steps.withLock { $0 } > 1)
    await #expect(throws: Refusal.self) { try await store.export(to: { _ in throw Refusal() }) }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await store.export(to: { _ in })
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
