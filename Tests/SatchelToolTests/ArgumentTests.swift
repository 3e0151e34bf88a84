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
    // Those have a condition, and nothing to choose or to sort.
    for command in ["count", "aggregate", "index"] {
      let result = try Tool.run([command, "store", "messages", "--filter", "x"])
      #expect(result.errors == "satchel: there is no option '--filter': did you mean '--where'?\n")
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

  /// To the parser they ask for help or for the version, or are options that there are not: nothing was done, so the status says so.
  @Test(arguments: [
    ["send", "STORE", "lunch", "-hello"], ["send", "STORE", "lunch", "-sh and more"],
    ["send", "STORE", "lunch", "hi", "--version"], ["send", "STORE", "lunch", "-5 degrees"],
    ["send", "STORE", "--with", "bob", "--help"], ["edit", "STORE", "m1", "-h"],
    ["mark-read", "STORE", "conversations", "-dash"], ["delete", "STORE", "messages", "m1", "-h"],
    ["set", "STORE", "messages", "m1", "-hx=1"], ["query", "STORE", "messages", "-hello"],
    ["count", "STORE", "messages", "-h5"],
  ])
  func textsThatBeginWithADash(_ arguments: [String]) throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let result = try Tool.run(arguments.map { $0 == "STORE" ? store : $0 })
    #expect(result.status == 64 && result.output == "", "\(result)")
    #expect(result.errors.contains("a text that begins with - stands behind --"), "\(result.errors)")
    #expect(try Tool.run("count", store, "messages", "--where", "isUnread = TRUE").output == "2\n")
    #expect(try Tool.run("count", store, "messages").output == "3\n")
  }

  @Test func whatStandsBehindTheOptionsIsText() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    #expect(try Tool.run("send", store, "lunch", "--", "-hello", "--version").status == 0)
    #expect(
      try Tool.run("count", store, "parts", "--where", "text IN {'-hello', '--version'}").output == "2\n")
    for request in [
      ["send", "--help"], ["edit", "-h"], ["query", store, "messages", "--help"], ["-h"], ["help"],
    ] {
      let result = try Tool.run(request)
      #expect(result.status == 0 && result.output.contains("USAGE: satchel"), "\(request)")
    }
  }

  /// Three edits away from every subcommand, or as short as the edits: a guess would be as good as any other.
  @Test(arguments: ["frobnicate", "qerryy!", "x", ""]) func doesNotGuessAtRandom(_ typed: String) throws {
    let result = try Tool.run([typed])
    #expect(result.status == 64)
    #expect(
      result.errors
        == "satchel: there is no subcommand '\(typed)': import, export, query, search, suggest, count, aggregate, index, explain, "
        + "watch, send, mark-read, edit, set, delete, stats, dump, verify, salvage, backup, compact, generate, shell, help\n"
    )
  }

  @Test func aSubcommandIsNotComplainedAbout() throws {
    let result = try Tool.run("query", "store", "my pictures")
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
