extension Report {
  /// The groups in the order of the report, with their headings; groups that are not listed come last.
  private static let groups: [(name: String, heading: String)] = [
    ("seed", "Example queries"), ("page", "Pages"), ("count", "Counts, ranks, offsets"),
    ("identifiers", "Identifiers"), ("custom", "The application's own data"),
    ("declared", "Declared indexes"), ("records", "Records of the application"),
    ("talk", "Reactions, participants' states, relations"), ("groups", "Counts by groups"),
    ("scan", "Scans"),
    ("insert", "Durable inserts, a message"), ("edit", "Edits"),
    ("tombstone", "Messages deleted for everyone"), ("confirm", "Confirmations"),
    ("merge", "Deliveries of what is there"), ("write", "Other writes"),
    ("tail", "Reads with commits in the journal"),
    ("mixed", "Readers beside a writer"), ("import", "Imports"),
    ("open", "Opening"),
    ("memory", "Memory"), ("size", "Sizes"), ("growth", "Growth of the file"),
    ("age", "After years of commits"),
  ]

  /// One table a group at the size that the goals are about.
  var tables: String {
    guard let n else { return "" }
    return "## With \(Quantity.count(n)) messages\n\n" + groups(of: rows.filter { $0.n == n }, level: "###")
  }

  /// The same tables for the other sizes, folded away.
  var otherSizes: String {
    let sizes = Set(rows.compactMap(\.n)).subtracting([n].compactMap { $0 }).sorted()
    return sizes.map { size in
      let tables = groups(of: rows.filter { $0.n == size }, level: "###")
      return "<details><summary>With \(Quantity.count(size)) messages</summary>\n\n\(tables)\n</details>\n"
    }.joined(separator: "\n")
  }

  /// The tables of each corpus.
  var corpora: String {
    let names = Set(rows.filter { $0.n == nil }.map { $0.corpus ?? "" }).sorted()
    return names.map { name in
      let heading = name.isEmpty ? "Without a size" : "On \(Markdown.escaped(name))"
      return "## \(heading)\n\n"
        + groups(of: rows.filter { $0.n == nil && ($0.corpus ?? "") == name }, level: "###")
    }.joined(separator: "\n")
  }

  private func groups(of rows: [Result], level: String) -> String {
    let isTable = { (row: Result) in row.workload.hasPrefix(Self.tableSizes) }
    let grouped = Dictionary(grouping: rows.filter { !isTable($0) }, by: \.group)
    let known = Self.groups.filter { grouped[$0.name] != nil }
    let others = grouped.keys.filter { name in !Self.groups.contains { $0.name == name } }.sorted()
    let all = known + others.map { ($0, $0) }
    var sections = all.map { name, heading in
      "\(level) \(Markdown.escaped(heading))\n\n\(table(of: grouped[name] ?? []))"
    }
    let tables = rows.filter { isTable($0) && $0.median > 0 }
    if !tables.isEmpty { sections.append("\(level) Sizes by table\n\n\(tableSizes(of: tables))") }
    return sections.joined(separator: "\n")
  }

  /// The beginning of the names of figures that are the size of one table or index of a store.
  private static let tableSizes = "size/table-"

  /// Tables and indexes by engine, the largest first. Some hold others: they have no sum.
  private func tableSizes(of rows: [Result]) -> String {
    let sorted = rows.sorted { first, second in
      let places = [first, second].map { EngineName.columns.firstIndex(of: $0.engine) ?? 0 }
      return (places[0], -first.median, first.workload) < (places[1], -second.median, second.workload)
    }
    let cells = sorted.map { row in
      [
        Markdown.link(code: String(row.name.dropFirst(Self.tableSizes.count)), to: row.source),
        row.engine.title,
        Markdown.escaped(row.about), Quantity.text(row.median, row.unit),
      ]
    }
    return Markdown.table(["table", "engine", "", "size"], cells)
  }

  /// Workloads by engines. The columns say how many times longer SQLite and GRDB take, if they take part.
  private func table(of rows: [Result]) -> String {
    let engines = EngineName.columns.filter { engine in rows.contains { $0.engine == engine } }
    let peers = [EngineName.sqlite, .grdb].filter { engines.contains($0) && engines.contains(.satchel) }
    var firsts: [Result] = []
    var byName: [String: [EngineName: Result]] = [:]
    for row in rows {
      if byName[row.name] == nil { firsts.append(row) }
      byName[row.name, default: [:]][row.engine] = row
    }
    let cells = firsts.map { first in
      let row = byName[first.name] ?? [:]
      let title =
        Markdown.link(code: first.name, to: first.source) + "<br>" + Markdown.escaped(first.about)
      return [title] + engines.map { row[$0].map(cell) ?? "" }
        + peers.map { peer in
          guard let own = row[.satchel], let other = row[peer], own.median > 0 else { return "" }
          return Quantity.times(other.median / own.median)
        }
    }
    return Markdown.table(["workload"] + engines.map(\.title) + peers.map { "\($0.title) ×" }, cells)
  }

  /// A median, and its ratio to SQLite's unless it is SQLite's.
  private func cell(_ row: Result) -> String {
    let median = Quantity.text(row.median, row.unit).replacing(" ", with: "\u{a0}")
    guard row.engine != .sqlite, let ratio = row.ratio else { return median }
    return "\(median) (\(Quantity.digits(ratio, 2)))"
  }

  /// How cost grows with the size: medians by size, and how many times the largest is the smallest.
  var growth: String {
    let sizes = Set(rows.compactMap(\.n)).sorted()
    guard sizes.count > 1 else { return "" }
    let medians = Dictionary(rows.map { (RowKey($0), $0) }) { $1 }
    var seen: Set<String> = []
    let names = rows.filter {
      $0.n != nil && !$0.workload.hasPrefix(Self.tableSizes) && seen.insert($0.workload).inserted
    }
    var cells: [[String]] = []
    for row in names {
      var title = Markdown.link(code: row.workload, to: row.source)
      for engine in EngineName.columns {
        let found = sizes.map { medians[RowKey(work: WorkKey(row.workload, $0), engine: engine)] }
        let present = found.compactMap { $0 }
        guard present.count > 1, let first = present.first, let last = present.last else { continue }
        let factor = first.median > 0 ? Quantity.times(last.median / first.median) : ""
        cells.append(
          [title, engine.title] + found.map { $0.map { Quantity.text($0.median, $0.unit) } ?? "" } + [factor])
        title = ""
      }
    }
    let header = ["workload", "engine"] + sizes.map { Quantity.count($0) } + ["last ÷ first"]
    return "## How cost grows with the number of messages\n\n" + Markdown.table(header, cells)
  }
}

extension EngineName {
  /// The order of columns and colours.
  static let columns: [EngineName] = [.satchel, .sqlite, .grdb, .lmdb, .disk]
}
