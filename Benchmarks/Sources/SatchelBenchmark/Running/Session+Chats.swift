import BenchmarkKit
import Engines
import Foundation

/// A chat to measure.
enum Source {
  case generated(Int)
  case corpus(Corpus)

  var title: String {
    switch self {
    case .generated(let messages): "\(Quantity.count(messages)) messages"
    case .corpus(let corpus): corpus.name
    }
  }

  /// How many messages it may have; corpora are guessed.
  var messages: Int {
    switch self {
    case .generated(let messages): messages
    case .corpus: 100_000
    }
  }

  /// The part of the time that its workloads get, against those of others: what grows with n takes longer.
  var weight: Double { max(1, log10(Double(messages)) - 3) * (messages >= 1_000_000 ? 1.5 : 1) }
}

extension Session {
  /// Makes a chat and loads it into every engine, watching the memory that this takes.
  func load(_ source: Source, in folder: String, watchedBy memory: ImportMemory) throws -> LoadedDataset {
    switch source {
    case .generated(let messages):
      runner.corpus = nil
      return try LoadedDataset(
        LoadedDataset.generate(messages: messages, in: folder, tool: tool), tool: tool, load: memory.load)
    case .corpus(let corpus):
      runner.corpus = corpus.name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let lines = try corpus.unpack(into: folder)
      let named = options.user.first { $0.hasPrefix(corpus.name + "=") }
      let user = try named.map { String($0.dropFirst(corpus.name.count + 1)) } ?? Corpus.user(of: lines)
      return try LoadedDataset(
        LoadedDataset.corpus(lines, user: user, in: folder), tool: tool, load: memory.load)
    }
  }
}
