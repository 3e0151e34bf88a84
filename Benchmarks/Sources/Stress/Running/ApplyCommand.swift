import ArgumentParser
import Foundation
import Satchel

/// The writing child: does operations of a file, one transaction each, until it is done or killed.
struct ApplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "apply", shouldDisplay: false)

  @Argument var store: String
  @Argument var file: String
  @Flag var durable = false

  func run() throws {
    var options = MessageStore.Options()
    options.durability = durable ? .full : .relaxed
    let store = try MessageStore(existingAt: store, options: options)
    for line in try Data(contentsOf: URL(fileURLWithPath: file)).split(separator: UInt8(ascii: "\n")) {
      try store.perform(JSONDecoder().decode(Operation.self, from: line))
    }
    store.close()
  }
}

extension MessageStore {
  /// Does an operation in a transaction, which throws at its end if that is what the operation is about.
  func perform(_ operation: Operation) throws {
    do {
      try write { transaction in
        for edit in operation.edits {
          do { try edit.apply(to: transaction) } catch {
            throw StressError("operation \(operation.number), \(edit): \(error)")
          }
        }
        if operation.isRolledBack { throw RolledBack() }
      }
    } catch is RolledBack {}
  }

  /// The number of the last operation in the store.
  func lastOperation() throws -> Int { try read { try $0.lastOperation() } }
}

extension StoreSnapshot {
  /// The number of the last operation in the store.
  func lastOperation() throws -> Int { try fact("operation") }

  /// A number that the store keeps about itself.
  func fact(_ name: String) throws -> Int {
    guard let number = try identity(Names.progress)?.metadata[name].flatMap({ Int($0) }) else {
      throw StressError("this is no store of satchel-stress: it does not say its \(name)")
    }
    return number
  }
}

/// Thrown at the end of a transaction that has to leave nothing.
private struct RolledBack: Error {}
