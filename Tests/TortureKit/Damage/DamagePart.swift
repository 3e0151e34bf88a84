internal import StoreModel
import TestSupport

/// Damaged files, and what the commands say to them.
package struct DamagePart {
  package let programs: Programs
  package let seed: UInt64
  /// How many random damages; truncations, hostile headers and zeroed pages come to it.
  package let count: Int
  /// One of so many truncations, headers and zeroed pages; 1 for all.
  package let stride: Int
  /// Commits that follow a damage which verify did not find.
  private let later = 100

  package init(_ programs: Programs, seed: UInt64, count: Int, stride: Int = 1) {
    self.programs = programs
    self.seed = seed
    self.count = count
    self.stride = stride
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("damage", seed: seed) { result in
      let sample = try Sample(programs, seed: seed, commits: 30)
      result["pages"] = sample.bytes.count / PageFile.size
      let truncations = every(Damage.truncations(of: sample.bytes))
      let headers = every(Damage.headers(of: sample.bytes))
      let zeroed = every(Array(0..<sample.bytes.count / PageFile.size)).map {
        Damage.zeroed($0, of: sample.bytes)
      }
      result["truncations"] = truncations.count
      result["hostile headers"] = headers.count
      result["zeroed pages"] = zeroed.count
      var blind = (tried: 0, found: 0)
      for damage in truncations + headers + zeroed { try judge(damage, sample, &blind, &result) }
      var generator = SeededGenerator(seed: seed)
      for index in 0..<count {
        let kind = Damage.Kind.allCases[index % Damage.Kind.allCases.count]
        guard let damage = Damage.random(kind, of: sample.bytes, earlier: sample.earlier, &generator) else {
          continue
        }
        try judge(damage, sample, &blind, &result)
      }
      var journals = (tried: 0, found: 0)
      var salvages = (tried: 0, found: 0)
      for round in 0..<UInt64(2) {
        try JournalDamage(programs, seed: seed &+ round).run(
          count: count / 4, stride: stride * 2, &generator, &journals, &salvages, &result)
      }
      result.controls.append(
        .init("salvages judged as if they had lost nothing", tried: salvages.tried, found: salvages.found))
      result.controls.append(
        .init(
          "damaged journals judged as if nothing could be lost", tried: journals.tried, found: journals.found)
      )
      result.controls.append(
        .init("judged as if verify had found nothing", tried: blind.tried, found: blind.found))
    }
  }

  private func every<Element>(_ elements: [Element]) -> [Element] {
    elements.enumerated().filter { $0.offset % stride == Int(seed % UInt64(stride)) }.map(\.element)
  }

  private func judge(
    _ damage: Damage, _ sample: Sample, _ blind: inout (tried: Int, found: Int), _ result: inout PartResult
  ) throws {
    guard damage.bytes != sample.bytes else { return }
    result["damaged stores"] += 1
    try sample.place(damage.bytes)
    var isRight = true
    var isFound = false
    for (question, answer) in zip(Sample.questions, sample.answers) {
      let found = try sample.ask(question)
      result["answers"] += 1
      switch found.end {
      case .exited(0) where sample.isRight(found.output, answer): result["right answers"] += 1
      case .exited(0):
        isRight = false
        result["wrong answers"] += 1
        result.fail("\(damage.name): \(question.name) gives another answer")
      case .exited(1), .exited(4):
        result["errors"] += 1
        if question.name == "verify" { isFound = true } else { isRight = false }
      case .signalled(let signal):
        isRight = false
        result["deaths"] += 1
        result.fail("\(damage.name): \(question.name) died of signal \(signal)")
      case .hung:
        isRight = false
        result["hangs"] += 1
        result.fail("\(damage.name): \(question.name) hangs")
      case .exited(let status):
        isRight = false
        result.fail("\(damage.name): \(question.name) ends with \(status): \(found.errors.prefix(200))")
      }
    }
    blind.tried += 1
    if !isRight { blind.found += 1 }
    if isFound {
      result["found by verify"] += 1
    } else if !isRight {
      result["not found, and it changes an answer"] += 1
      result.fail("\(damage.name): verify finds nothing, and a command does not answer as before")
    } else {
      result["not found, and no answer changes"] += 1
      try sample.place(damage.bytes)
      try LaterWrites(sample, damage.name).check(commits: later, &result)
    }
  }
}

/// Writes on in a store that verify has called sound, and looks what becomes of it.
struct LaterWrites {
  private let sample: Sample
  private let name: String

  init(_ sample: Sample, _ name: String) {
    self.sample = sample
    self.name = name
  }

  /// Notes whether the store in place is destroyed by so many commits.
  func check(commits: Int, _ result: inout PartResult) throws {
    result["stores written on"] += 1
    let writes = try sample.writeOn(commits: commits)
    switch writes.end {
    case .exited(0): result["stores whose writes all came through"] += 1
    // A write that meets damage says so, and leaves everything as it is.
    case .exited(1): result["stores whose writes were refused"] += 1
    default: return destroy("writes ended with \(writes.brief)", &result)
    }
    let verify = try sample.ask(Sample.questions[5])
    if verify.end != .exited(0), writes.end == .exited(0) {
      return destroy("verify after \(commits) writes: \(verify.brief)", &result)
    }
    let export = try sample.ask(Sample.questions[2])
    guard export.end == .exited(0), sample.hasEverything(export.output) else {
      return destroy("messages are missing after \(commits) writes: \(export.brief)", &result)
    }
  }

  private func destroy(_ what: String, _ result: inout PartResult) {
    result["stores destroyed after a clean verify"] += 1
    result.fail("\(name): \(what)")
  }
}
