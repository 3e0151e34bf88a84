import Foundation
import Satchel
import SatchelCare
import SatchelInterchange
import SatchelStorage
import Testing

/// A store of alice's that is open, in a directory of its own, and files beside it.
final class Chat {
  let store: MessageStore
  private let directory: TemporaryStore

  init(_ options: MessageStore.Options = MessageStore.Options()) throws {
    directory = try TemporaryStore()
    var options = options
    options.durability = .relaxed
    store = try MessageStore(path: directory.path, user: "alice", options: options)
  }

  var path: String { directory.path }

  /// The bytes of an export.
  func exported() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try store.export(to: { bytes += $0 })
    return bytes
  }

  /// The number of faults that a check of the whole store finds.
  func verify() throws -> Int { try store.base.read { try Verifier.verify($0).faultCount } }

  deinit { store.close() }

  /// The bytes of lines, each with its end.
  static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

  /// The lines of a chat: a header, a conversation and messages, enough for several transactions.
  static func lines(messages: Int = 5000) -> [String] {
    [ImporterTests.header, ImporterTests.conversation]
      + (0..<messages).map {
        #"{"kind":"message","identifier":"m\#($0)","conversation":"c","sender":"bob","position":\#($0),"isUnread":true}"#
      }
  }
}

/// A file or a path for one, gone with the value.
final class ScratchFile {
  let url: URL

  init(_ content: [UInt8]? = nil) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("satchel-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    if let content { try Data(content).write(to: file) }
  }

  var file: URL { url.appendingPathComponent("lines.jsonl") }

  func content() throws -> [UInt8] { Array(try Data(contentsOf: file)) }

  /// The names of all files beside it, and its own.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path) }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// What a test throws where a program's closure may throw.
struct Refusal: Error, Equatable {}
