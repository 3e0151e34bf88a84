internal import SatchelReading
internal import SatchelStorage
internal import StoreModel

/// The store that is damaged, and what it answers while it is sound.
package struct Sample {
  /// A command that reads a store.
  package struct Question: Sendable {
    package let name: String
    package let arguments: [String]
  }

  package static let questions = [
    Question(name: "query", arguments: ["query", "STORE", "messages", "--sort", "-sentAt,position"]),
    Question(
      name: "count",
      arguments: ["query", "STORE", "messages", "--where", "isUnread = TRUE", "--select", "count"]),
    Question(name: "export", arguments: ["export", "STORE"]),
    Question(name: "stats", arguments: ["stats", "STORE"]),
    Question(name: "dump", arguments: ["dump", "STORE"]),
    Question(name: "verify", arguments: ["verify", "STORE"]),
  ]

  package let programs: Programs
  package let bytes: [UInt8]
  /// What pages of it held before.
  package private(set) var earlier: [Int: [[UInt8]]] = [:]
  /// The right answers, in the order of the questions.
  package private(set) var answers: [[UInt8]] = []

  private let scratch: Scratch

  /// Records a run, for a store with free pages, old pages and everything else that comes with use.
  package init(_ programs: Programs, seed: UInt64, commits: Int) throws {
    self.programs = programs
    scratch = try Scratch()
    let job = try programs.record(
      .script(Workload(seed: seed, commits: commits)), Recording(), ReplayJob.Judgement(), seed: seed,
      in: scratch)
    bytes = try Files.read(job.root + "/store/" + StoreFile.durable[0])
    let log = try ShimLog(file: job.log, root: job.root)
    var data: UInt64?
    for case .create(let path, let file) in log.changes where path == "store/" + StoreFile.durable[0] {
      data = file
    }
    for case .write(let file, let offset, let range, _) in log.changes
    where file == data && offset % PageFile.size == 0 {
      for start in stride(from: 0, through: range.count - PageFile.size, by: PageFile.size) {
        let place = range.lowerBound + start
        earlier[(offset + start) / PageFile.size, default: []].append(
          Array(log.bytes[place..<place + PageFile.size]))
      }
    }
    // The last version is the one that it has.
    for page in earlier.keys { earlier[page]?.removeLast() }
    answers = try Self.questions.map { question in
      let result = try ask(question, bytes)
      guard result.end == .exited(0) else {
        throw TortureError("\(question.name) of a sound store: \(result.brief)")
      }
      return result.output
    }
  }

  private var store: String { scratch("damaged") }

  /// Puts a file in the place of the store's.
  func place(_ bytes: [UInt8]) throws {
    Files.remove(store)
    try Files.makeDirectory(store)
    try Files.write(bytes, to: store + "/" + StoreFile.durable[0])
  }

  private func ask(_ question: Question, _ bytes: [UInt8]) throws -> Child.Result {
    try place(bytes)
    return try ask(question)
  }

  /// Asks the store that is in place.
  func ask(_ question: Question) throws -> Child.Result {
    try Child.run(
      programs.satchel, question.arguments.map { $0 == "STORE" ? store : $0 }, in: scratch.path, seconds: 20)
  }

  /// Whether an answer is the sound store's. A file that has lost free pages at its end is shorter, and stats say so: how
  /// long it is follows from the damage, not from what the store holds.
  func isRight(_ output: [UInt8], _ answer: [UInt8]) -> Bool {
    output == answer || Self.withoutFileLength(output) == Self.withoutFileLength(answer)
  }

  private static func withoutFileLength(_ output: [UInt8]) -> String {
    String(decoding: output, as: UTF8.self).replacing(/"fileBytes":[0-9]+/, with: "")
  }

  /// Writes on in the store that is in place, in a process of its own.
  func writeOn(commits: Int) throws -> Child.Result {
    try Child.run(
      programs.torture, ["more", store, "--commits", String(commits)], in: scratch.path, seconds: 60)
  }

  /// Whether everything that the store held is in an export, whatever else is.
  func hasEverything(_ export: [UInt8]) -> Bool {
    let lines = Set(export.split(separator: UInt8(ascii: "\n")))
    // The header and the trailer count what there is.
    return answers[2].split(separator: UInt8(ascii: "\n")).dropFirst().dropLast().allSatisfy(lines.contains)
  }
}
