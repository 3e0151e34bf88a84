import Satchel
import SatchelScenes
import TestSupport
import Testing

/// A closure that changes the store while it is given parts: the record of their message may not be where it was.
@Suite struct StreamingPartsTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws { scratch = try Scratch() }

  /// The message is one that the write has added, and what the closure adds takes its memory from the write's buffers.
  @Test(arguments: [false, true]) func partsOfAMessageThatTheBuffersHeld(isWrittenBefore: Bool) throws {
    func send(_ tx: WriteTransaction) throws {
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.send((0..<12_000).map { .text("\($0 % 10)") }, to: "c", id: "parts")
    }
    if isWrittenBefore { try store.write { tx in try send(tx) } }
    try store.write { tx in
      if !isWrittenBefore { try send(tx) }
      var seen = 0
      failure(.closed) {
        try tx.read { snapshot in
          let query = MessagePart.filter { $0.message == "parts" && $0.text.endsWith("7") }
          try snapshot.forEach(query) { _ in
            seen += 1
            for _ in 0..<12 {
              try tx.send([.text(String(repeating: "x", count: 1_000_000))], to: "c")
            }
            _ = try tx.count(Message.all)
          }
        }
      }
      #expect(seen == 1)
    }
    #expect(try store.count(MessagePart.filter { $0.message == "parts" && $0.text.endsWith("7") }) == 1_200)
    try expectSound(store)
  }

  /// What the closure deletes is not missed afterwards: the error is the same as for any other change.
  @Test func partsOfAMessageThatIsGone() throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.send((0..<20).map { .text("\($0 % 10)") }, to: "c", id: "parts")
      try tx.send([.text("7")], to: "c", id: "other")
    }
    try store.write { tx in
      var seen = 0
      failure(.closed) {
        try tx.read { snapshot in
          let query = MessagePart.filter { $0.message == "parts" && $0.text.endsWith("7") }
          try snapshot.forEach(query) { _ in
            seen += 1
            try tx.delete(Message.ID("parts"))
            _ = try tx.count(Message.all)
          }
        }
      }
      #expect(seen == 1)
    }
    try expectSound(store)
  }
}
