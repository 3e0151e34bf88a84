import Testing

/// The code of each article is code that its guide compiles and runs: `Guides/X.swift` and `Guides/X+….swift` for the
/// article `X.md`.
@Suite struct ArticleTests {
  static let articles = (try? Repository.names(in: Repository.catalog, withExtension: "md")) ?? []

  private func guide(of article: String) throws -> [String] {
    try Repository.names(in: Repository.guides, withExtension: "swift")
      .filter { $0 == article || $0.hasPrefix(article + "+") }
      .map { try Repository.text("\(Repository.guides)/\($0).swift") }
  }

  @Test func everyArticleHasAGuideAndTheReverse() throws {
    #expect(Self.articles.count >= 10)
    let guides = try Repository.names(in: Repository.guides, withExtension: "swift")
    #expect(Set(guides.map { $0.split(separator: "+").first.map { String($0) } ?? "" }) == Set(Self.articles))
  }

  @Test(arguments: articles) func everyBlockIsCompiledAndRun(_ article: String) throws {
    let blocks = try CodeBlocks(of: Repository.text("\(Repository.catalog)/\(article).md"))
    #expect(!blocks.blocks.isEmpty, "\(article).md shows no code")
    for block in blocks.missing(from: try guide(of: article)) {
      Issue.record(
        "Guides/\(article).swift lacks this block of the article:\n\(block.joined(separator: "\n"))")
    }
  }

  // The comparison itself.

  @Test func blocksAreFoundAtAnyIndentation() throws {
    let swift = "Text\n```swift\nlet a = 1\nif a > 0 {\n  f(a)\n}\n```\n"
    let found = try CodeBlocks(of: swift + "More\n```\nnot Swift\n```\n```sh\nmake\n```\n")
    #expect(found.blocks == [["let a = 1", "if a > 0 {", "  f(a)", "}"]])
    let indented = "func g() {\n    let a = 1\n    if a > 0 {\n      f(a)\n    }\n}\n"
    #expect(found.missing(from: [indented]).isEmpty)
    #expect(found.missing(from: ["let b = 2\n", indented]).isEmpty)
  }

  @Test(arguments: [
    "", "let a = 1\nif a > 0 {\n  f(b)\n}\n", "let a = 1\nif a > 0 {\nf(a)\n}\n",
    "let a = 1\n\nif a > 0 {\n  f(a)\n}\n", "let a = 1\nif a > 0 {\n  f(a)\n",
  ])
  func whatDiffersIsMissing(_ code: String) throws {
    let found = try CodeBlocks(of: "```swift\nlet a = 1\nif a > 0 {\n  f(a)\n}\n```\n")
    #expect(found.missing(from: [code]) == found.blocks)
  }

  @Test func eachFileIsLookedAtAlone() throws {
    let found = try CodeBlocks(of: "```swift\nf()\ng()\n```\n")
    #expect(found.missing(from: ["f()", "g()"]) == found.blocks)
  }

  @Test(arguments: [
    "```Swift\nf()\n```\n", "``` swift\nf()\n```\n", "- a\n  ```swift\n  f()\n  ```\n",
    "~~~swift\nf()\n~~~\n", "```swift\nf()\n", "````swift\nf()\n````\n",
  ])
  func codeCannotHide(_ article: String) {
    #expect(throws: CodeBlocks.Malformed.self) { try CodeBlocks(of: article) }
  }
}
