import ArgumentParser
import Foundation

/// `satchel-stress`: random work on a store, compared with a plain model in memory.
@main
struct StressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "satchel-stress",
    abstract: "Random work on one store, for hours, compared with a plain model in memory.",
    discussion: """
      Transactions of edits, some rolled back, some by a process that is killed in the middle; after them questions, live \
      controllers, reopening and `satchel verify`. All follows from the seed. Exit status 0: no difference was found; \
      1: the first one is told, with the command that reproduces it, and the store is kept.
      """,
    subcommands: [RunCommand.self, ApplyCommand.self], defaultSubcommand: RunCommand.self)
}

/// Works until it has done enough or finds a difference.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run", abstract: "Works and compares.")

  @Option(name: .long, help: "How many operations; each is a transaction.")
  var operations: Int?

  @Option(name: .long, help: "How many minutes, in place of a number of operations.")
  var minutes: Double?

  @Option(name: .long, help: "The seed; a random one without, which is told.")
  var seed: UInt64?

  @Option(name: .long, help: "About how many messages the store is kept at.")
  var messages = 20_000

  @Option(
    name: .long, help: "Where the store is made, and kept; a temporary folder without, removed after success."
  )
  var directory: String?

  @Option(name: .long, help: "Goes on with the store of an earlier run.")
  var resume: String?

  @Flag(name: .long, help: "Tells nothing but the end.")
  var quiet = false

  func validate() throws {
    guard operations == nil || minutes == nil else {
      throw ValidationError("either --operations or --minutes")
    }
    guard resume == nil || (seed == nil && directory == nil) else {
      throw ValidationError(
        "--resume goes on with the store's own seed, where it is: leave out --seed and --directory")
    }
    guard messages >= 100 else { throw ValidationError("--messages needs 100 at least") }
    if let operations, operations < 1 { throw ValidationError("--operations needs a positive number") }
    if let minutes, !(minutes > 0) { throw ValidationError("--minutes needs a positive number") }
  }

  func run() throws {
    let session: Session
    let folder: String
    if let resume {
      folder = resume
      session = try Session(resuming: resume)
    } else {
      let seed = seed ?? UInt64.random(in: 1..<1_000_000_000)
      folder =
        directory
        ?? FileManager.default.temporaryDirectory
        .appendingPathComponent("satchel-stress-\(seed)-\(ProcessInfo.processInfo.processIdentifier)").path
      guard !FileManager.default.fileExists(atPath: folder + "/store") else {
        throw StressError(
          "\(folder) has a store already: go on with it by --resume, or name another --directory")
      }
      session = try Session(in: folder, seed: seed, messages: messages)
    }
    print(
      "seed \(session.seed), \(session.messages) messages, from operation \(session.number + 1) on, in \(folder)"
    )
    // At once, also into a file: whoever ends the run has to know it.
    fflush(nil)
    do {
      let deadline = minutes.map { Date.now.addingTimeInterval($0 * 60) }
      try session.run(until: operations, deadline ?? .distantFuture, reporting: !quiet)
    } catch {
      print("after operation \(session.number): \(error)")
      print(
        "reproduce: satchel-stress --seed \(session.seed) --messages \(session.messages) --operations \(session.number)"
      )
      print("the store is kept in \(folder)")
      throw ExitCode.failure
    }
    print("\(session.number) operations: no difference; \(session.tally)")
    if directory == nil, resume == nil { try? FileManager.default.removeItem(atPath: folder) }
  }
}

/// What is wrong, and what would be right.
struct StressError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
