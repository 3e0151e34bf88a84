import Fuzzing
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Every decoder of bytes from outside, on every input of the corpus and on mutations of them: what the fuzzer does for
/// hours (`make fuzz`), for a short time and always alike. An input that once made a decoder fail is in the corpus.
@Suite struct FuzzTests {
  /// How many mutated inputs each decoder gets.
  private static let executions = TestEnvironment.rounds(4000)

  /// `SATCHEL_SEED`, or the same every time: these inputs are the ones that everybody has seen pass.
  private static let seed = TestEnvironment.seed(for: "mutated inputs", usual: 1)

  private static let names = FuzzTarget.all.map(\.name)

  private static func target(_ name: String) throws -> FuzzTarget {
    try #require(FuzzTarget.all.first { $0.name == name })
  }

  @Test(arguments: names)
  func everyInputOfTheCorpusIsSafe(_ name: String) throws {
    let target = try Self.target(name)
    let corpus = try Corpus(target)
    #expect(!corpus.files.isEmpty, "the corpus of \(name) is empty")
    for (file, bytes) in corpus.files { Self.run(target, bytes, "Corpus/\(name)/\(file)") }
    let accepted = try target.seeds().count { Self.run(target, $0, "a seed of \(name)") }
    // Otherwise what is expected of accepted input would be expected of none.
    #expect(accepted > 0, "\(name) accepts no seed")
  }

  @Test(arguments: names)
  func everyMutatedInputIsSafe(_ name: String) throws {
    let target = try Self.target(name)
    let inputs = try Corpus(target).files.map(\.bytes) + target.seeds()
    var mutator = Mutator(seed: Self.seed, maximumBytes: target.maximumBytes)
    for number in 0..<Self.executions {
      Self.run(target, mutator.input(from: inputs), "SATCHEL_SEED=\(Self.seed), input \(number) of \(name)")
    }
  }

  /// The harness sees both kinds of failure: a property that does not hold, and a decoder that accepts too much.
  @Test func aWrongDecoderIsFound() throws {
    let wrong = FuzzTarget("wrong") { bytes in
      if bytes.count > 3, bytes[2] == 0x80 { throw FuzzTarget.Violation("found") }
      return true
    }
    var mutator = Mutator(seed: Self.seed, maximumBytes: 64)
    let found = (0..<20_000).contains { _ in
      (try? mutator.input(from: [[1, 2, 3, 4, 5]]).withUnsafeBytes { try wrong.check($0) }) == nil
    }
    #expect(found)
  }

  /// Whether the input is accepted.
  @discardableResult
  private static func run(
    _ target: FuzzTarget, _ bytes: [UInt8], _ origin: @autoclosure () -> String
  ) -> Bool {
    do {
      return try bytes.withUnsafeBytes { try target.check($0) }
    } catch {
      Issue.record("\(origin()): \(error); the input: \(Corpus.hexadecimal(bytes))")
      return false
    }
  }
}

/// The inputs of a target in the folder `Corpus`.
private struct Corpus {
  let files: [(name: String, bytes: [UInt8])]

  init(_ target: FuzzTarget) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Corpus").appendingPathComponent(target.name)
    files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { !$0.hasPrefix(".") }
      .map { ($0, [UInt8](try Data(contentsOf: folder.appendingPathComponent($0)))) }
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
