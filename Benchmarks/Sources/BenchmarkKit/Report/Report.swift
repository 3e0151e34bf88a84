/// The report of a run in Markdown: `RESULTS.md`.
public struct Report {
  let rows: [Result]
  let runs: [Conditions]

  /// The size of store that the tables show; the others stand below them.
  let n: Int?

  /// The report of rows, with the conditions under which they were measured.
  public init(_ rows: [Result], measuredIn runs: [Conditions]) {
    self.rows = rows
    self.runs = runs
    n = GoalRows(rows).n
  }

  /// The report's text. Links are relative to the folder Benchmarks.
  public var text: String {
    let sections = [introduction, conditions, method, goals, pictures, tables, growth, otherSizes, corpora]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var introduction: String {
    """
    # What Satchel costs

    Written by `make bench`; the rows are in [results.json](results.json). Every workload's name links to the code that
    measured it. Lower is better in all figures; a number in brackets is the ratio to SQLite in the same run, as in the
    file; × columns say how many times longer the other takes than Satchel.

    """
  }

  private var conditions: String {
    let latest = runs.last
    var text = "## Where\n\n"
    guard let latest else { return text + "The conditions of this run were not kept.\n" }
    let machine = latest.machine
    var lines = [
      ["Processor", machine.processor], ["Cores", String(machine.cores)],
      ["Memory", Quantity.text(Double(machine.memory), .bytes)],
      ["System", machine.system], ["Kernel", machine.kernel], ["File system", machine.fileSystem],
    ]
    for (name, version) in latest.versions.sorted(by: { $0.key < $1.key }) { lines.append([name, version]) }
    text += "| | |\n| :-- | :-- |\n"
    text += lines.map { "| \($0[0]) | \(Markdown.escaped($0[1])) |\n" }.joined()
    text += "\n"
    for run in runs {
      let sizes = run.sizes.map { Quantity.count($0) } + run.corpora.map { Markdown.escaped($0) }
      var line =
        "- \(run.date) UTC, \(Quantity.digits(run.minutes, 2)) minutes: \(sizes.joined(separator: "; "))"
      if run.isPartial { line += "; some workloads only" }
      if let commit = run.versions["Satchel"] { line += "; Satchel \(Markdown.escaped(commit))" }
      if run.machine != machine {
        line += "; on \(Markdown.escaped(run.machine.processor)), \(run.machine.kernel)"
      }
      text += line + "\n"
    }
    return text
  }

  private var method: String {
    """
    ## How

    The engines take turns round by round in one process, in changing order, so that whatever else the machine does hits
    them alike. Before a workload is timed, all its engines do it and have to give the same answer: the same items in the
    same order. A round of a read repeats it for 20 ms at least, with a different key each time, the same for every engine;
    a round of a write is one run. Figures are medians over the rounds, per item, by a monotonic clock; results.json has
    minimum, maximum and quartiles as well. Mixed load and the many commits behind means, percentiles and bytes of the disk
    are one run an engine, one engine after the other. Memory is the peak of anonymous resident memory (RssAnon and what is swapped
    out) of the process that loads the store, looked at every five milliseconds.

    """
  }

  private var goals: String {
    let goals = Goal.all(in: rows)
    let rows = goals.map { goal in
      [
        goal.title.replacing("|", with: "\\|"), goal.figure,
        goal.isMet.map { $0 ? "met" : "**NOT met**" } ?? "–",
      ]
    }
    let judged = goals.compactMap(\.isMet)
    var titles: [String: [String]] = [:]
    var reasons: [String] = []
    for goal in goals where goal.isMet != true {
      guard let reason = goal.reason else { continue }
      if titles[reason] == nil { reasons.append(reason) }
      titles[reason, default: []].append(goal.title)
    }
    var size = n.map { "with \(Quantity.count($0)) messages" } ?? "on corpora"
    if n != GoalRows.wanted { size += ", although the goals are about \(Quantity.count(GoalRows.wanted))" }
    return """
      ## Goals

      \(judged.count { $0 }) of \(judged.count) met, \(size); plain rows of GRDB, not its Codable records, which are slower.

      | goal | measured | |
      | :-- | :-- | :-- |
      \(rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n"))

      """
        + (reasons.isEmpty
          ? ""
          : "\n### What the time goes to where a goal is missed\n\n"
            + reasons.map { "- \((titles[$0] ?? []).joined(separator: "; ")): \($0)\n" }.joined() + "\n")
  }

  private var pictures: String {
    let pictures = Plots.all(of: rows)
    guard !pictures.isEmpty else { return "" }
    return "## In pictures\n\n" + pictures.map { "![\($0.title)](\($0.file))\n" }.joined(separator: "\n")
  }
}
