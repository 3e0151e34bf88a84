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

  /// Three edits away from every subcommand, or as short as the edits: a guess would be as good as any other.
  @Test(arguments: ["frobnicate", "qerryy!", "x", ""]) func doesNotGuessAtRandom(_ typed: String) throws {
    let result = try Tool.run([typed])
    #expect(result.status == 64)
    #expect(
      result.errors
        == "satchel: there is no subcommand '\(typed)': import, export, query, explain, watch, stats, dump, verify, "
        + "salvage, backup, generate, help\n")
  }

  @Test func aSubcommandIsNotComplainedAbout() throws {
    let result = try Tool.run("query", "store", "pictures")
    #expect(result.status == 64)
    #expect(!result.errors.contains("subcommand"), "\(result.errors)")
  }
}
