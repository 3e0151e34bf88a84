import SatchelStorage
import Testing

/// What the program says of itself and of names that were mistyped.
@Suite struct ArgumentTests {
  @Test func saysWhichVersionItIs() throws {
    let result = try Tool.run("--version")
    #expect(result.status == 0)
    #expect(result.output == "satchel 0.1.0, file format \(Store.format)\n")
    #expect(result.errors == "")
    // Everywhere the same, so that nobody has to know where to ask.
    #expect(try Tool.run("query", "--version").output == result.output)
  }

  @Test(arguments: [
    ("querry", "query"), ("qury", "query"), ("import-", "import"), ("stat", "stats"), ("exlpain", "explain"),
    ("dmup", "dump"), ("hlep", "help"), ("slavage", "salvage"), ("QUERY", "query"),
  ])
  func guessesWhatWasMeant(_ typed: String, _ meant: String) throws {
    let result = try Tool.run([typed, "store", "messages"])
    #expect(result.status == 64)
    #expect(result.errors == "satchel: there is no subcommand '\(typed)': did you mean '\(meant)'?\n")
    #expect(result.output == "")
  }

  @Test(arguments: [
    ("--count", "--select count"), ("--ids", "--select identifiers"), ("--filter", "--where"),
    ("--order-by", "--sort"),
  ])
  func knowsWhatOptionsAreCalledElsewhere(_ typed: String, _ meant: String) throws {
    for command in ["query", "watch", "explain"] {
      let result = try Tool.run([command, "store", "messages", typed])
      #expect(result.status == 64)
      #expect(result.errors == "satchel: there is no option '\(typed)': did you mean '\(meant)'?\n")
    }
  }

  @Test func aStoreAndAFileInEachOthersPlaces() throws {
    let directory = try Tool.Directory()
    let file = try directory.write("chat.jsonl", lines: [Sample.header])
    for store in [directory("new"), try Sample.make(in: directory)] {
      let result = try Tool.run("import", file, store, "--as", "alice")
      #expect(result.status == 1)
      #expect(
        result.errors == "satchel: \(file) is a file, and a store is a directory: satchel import STORE FILE\n"
      )
    }
  }

  /// Three edits away from every subcommand, or as short as the edits: a guess would be as good as any other.
  @Test(arguments: ["frobnicate", "qerryy!", "x", ""]) func doesNotGuessAtRandom(_ typed: String) throws {
    let result = try Tool.run([typed])
    #expect(result.status == 64)
    #expect(
      result.errors
        == "satchel: there is no subcommand '\(typed)': import, export, query, count, aggregate, explain, watch, "
        + "send, mark-read, edit, set, delete, stats, dump, verify, salvage, backup, compact, generate, shell, help\n"
    )
  }

  @Test func aSubcommandIsNotComplainedAbout() throws {
    let result = try Tool.run("query", "store", "pictures")
    #expect(result.status == 64)
    #expect(!result.errors.contains("subcommand"), "\(result.errors)")
  }

  /// Wherever a number is taken, one that means nothing is no argument, as is one that is no number.
  @Test(arguments: ["--limit", "--offset"], ["-1", "-9223372036854775808", "9223372036854775808", "1.5"])
  func aNumberThatMeansNothing(_ option: String, _ number: String) throws {
    for command in ["query", "count", "explain", "watch"] {
      let result = try Tool.run([command, "store", "messages", option, number])
      #expect(result.status == 64, "\(command): \(result.errors)")
      #expect(result.errors.contains(option), "\(command): \(result.errors)")
      #expect(result.output == "")
    }
  }

  #if os(Linux)
    /// What was asked for and cannot be written was not given.
    @Test(arguments: ["help", "--help", "--version", "help query", "query --help", "query --version"])
    func whatCannotBeWrittenFails(_ arguments: String) throws {
      let result = try Tool.shell("$satchel \(arguments) >/dev/full")
      #expect(result.status == 1)
      #expect(
        result.errors.hasPrefix("satchel: ") && result.errors.contains("No space left"), "\(result.errors)")
    }
  #endif
}
