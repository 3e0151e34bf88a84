import ArgumentParser
import Satchel

/// As whom, and how patiently, a command writes into a store that exists.
struct WriteOptions: ParsableArguments {
  @Option(
    name: .customLong("as"), parsing: .unconditional,
    help: "The user whose store it has to be: a store of anybody else is left as it is.")
  var user: String?

  @OptionGroup var wait: WaitOptions

  /// Calls `body` with a transaction of the store at a path, which is never created, and commits what it does; if it throws, the store
  /// is as it was.
  /// - Throws: ``SatchelError`` `noSuchStore`, `wrongUser` and all that a write throws; what `body` throws.
  func write<Result>(_ path: String, _ body: (WriteTransaction) throws -> Result) throws -> Result {
    try open(path) { try $0.write(body) }
  }

  /// Calls `body` with the store at a path, which is never created, open for writing.
  /// - Throws: ``SatchelError`` `noSuchStore`, `wrongUser`; what `body` throws.
  func open<Result>(_ path: String, _ body: (MessageStore) throws -> Result) throws -> Result {
    var options = MessageStore.Options()
    wait.apply(to: &options)
    let opened = try MessageStore.existing(at: path, of: user, options)
    defer { opened.close() }
    return try body(opened)
  }
}
