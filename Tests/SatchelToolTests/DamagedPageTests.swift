import Foundation
import Testing

/// What reads a store says so when a page of it is damaged, or gives the answer of the sound store. It never ends by a
/// signal: `Tool.run` expects that of each run.
@Suite struct DamagedPageTests {
  private static let pageSize = 4096

  /// The operations that read, by name.
  private static func operations(_ store: String, _ directory: Tool.Directory) -> [(String, [String])] {
    [
      ("query", ["query", store, "messages", "--format", "json"]),
      ("count", ["query", store, "messages", "--select", "count"]),
      ("read", ["query", store, "messages", "--where", "identifier = 'm2'", "--format", "json"]),
      ("export", ["export", store, "-"]),
      ("stats", ["stats", store]),
      ("dump", ["dump", store]),
    ]
  }

  @Test func everyPageDamagedInTurn() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let file = URL(fileURLWithPath: store + "/data.mdb")
    let sound = [UInt8](try Data(contentsOf: file))
    var answers: [String: String] = [:]
    for (name, arguments) in Self.operations(store, directory) {
      let result = try Tool.run(arguments)
      try #require(result.status == 0, "\(name): \(result.errors)")
      answers[name] = result.output
    }
    var refused: [String: Int] = [:]
    for page in 2..<sound.count / Self.pageSize {
      var damaged = sound
      let bytes = page * Self.pageSize..<(page + 1) * Self.pageSize
      switch page % 3 {
      case 0: for place in bytes { damaged[place] = UInt8(truncatingIfNeeded: place &* 167 &+ page) }
      case 1: damaged.replaceSubrange(bytes, with: repeatElement(0, count: Self.pageSize))
      default:
        // The right number over the content of another page.
        let other = page == 2 ? 3 : 2
        damaged.replaceSubrange(
          bytes.lowerBound + 8..<bytes.upperBound,
          with: sound[other * Self.pageSize + 8..<(other + 1) * Self.pageSize])
      }
      for round in 0..<2 {
        if round == 1 { damaged.replaceSubrange(bytes, with: repeatElement(0, count: Self.pageSize)) }
        try Data(damaged).write(to: file)
        for (name, arguments) in Self.operations(store, directory) {
          let result = try Tool.run(arguments)
          if result.status == 0 {
            #expect(result.output == answers[name], "\(name) with damage in page \(page) answers wrongly")
          } else {
            refused[name, default: 0] += 1
            #expect(!result.errors.isEmpty)
          }
        }
      }
    }
    print("everyPageDamagedInTurn: \(sound.count / Self.pageSize) pages, refused \(refused)")
    for (name, _) in Self.operations(store, directory) { #expect(refused[name, default: 0] > 0, "\(name)") }
  }
}
