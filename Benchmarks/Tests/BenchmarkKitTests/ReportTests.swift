import BenchmarkKit
import Testing

@Suite struct ReportTests {
  private let rows: [BenchmarkKit.Result] = [10_000, 1_000_000].flatMap { n in
    [
      row("page/<b>&\"|", .satchel, 12, 13, n: n, about: "a | *b* <i>"),
      row("page/<b>&\"|", .sqlite, 100, n: n),
      row("insert/1", .satchel, 900, n: n), row("insert/1", .sqlite, 800, n: n),
      row("insert/10", .satchel, 90, n: n), row("insert/10", .sqlite, 85, n: n),
    ]
  }.withRatios()

  @Test func markdownIsEscaped() {
    #expect(Markdown.escaped("a|b <i> *c*\n_d_ & `e`") == "a\\|b &lt;i&gt; \\*c\\* \\_d\\_ &amp; \\`e\\`")
    #expect(Markdown.link(code: "a`|b", to: "x y#L1") == "[`a'\\|b`](x%20y#L1)")
  }

  @Test func everyWorkloadLinksToItsCode() {
    let text = Report(rows, measuredIn: []).text
    #expect(text.contains("[`insert/1`](Sources/SatchelBenchmark/Workloads/Pages.swift#L12)"))
    #expect(text.contains("a \\| \\*b\\* &lt;i&gt;"))
    #expect(text.contains("900\u{a0}µs (1.1)"))
    #expect(text.contains("## How cost grows"))
  }

  @Test func tablesAreListedByTheirSizes() throws {
    let sizes = [
      row("size/table-small", .satchel, 100, unit: .bytes),
      row("size/table-large", .satchel, 300, unit: .bytes),
      row("size/table-empty", .satchel, 0, unit: .bytes), row("size/table-message", .sqlite, 5, unit: .bytes),
    ]
    let text = Report(sizes, measuredIn: []).text
    let places = try ["`large`", "`small`", "`message`"].map {
      try #require(text.firstRange(of: $0)).lowerBound
    }
    #expect(places == places.sorted())
    #expect(text.contains("300 B |"))
    #expect(!text.contains("empty"))
  }

  @Test func everyLineOfATableHasTheSameCells() {
    let table = Markdown.table(["a", "b"], [["1", "2"], ["3", "4"]])
    #expect(table == "| a | b |\n| :-- | --: |\n| 1 | 2 |\n| 3 | 4 |\n")
  }

  @Test func picturesAreEscapedAndWhole() throws {
    let plots = Plots.all(of: rows)
    #expect(plots.map(\.file) == ["ratios.svg", "growth.svg", "inserts.svg"])
    for plot in plots {
      #expect(plot.text.hasPrefix("<svg ") && plot.text.hasSuffix("</svg>\n"))
      #expect(!plot.text.contains("<b>"))
      #expect(!plot.text.contains("nan") && !plot.text.contains("inf"))
    }
    #expect(plots[0].text.contains("page/&lt;b&gt;&amp;&quot;|"))
  }

  @Test func aReportOfNothingIsStillAReport() {
    #expect(Report([], measuredIn: []).text.contains("0 of 0 met"))
    #expect(Plots.all(of: []).isEmpty)
  }

  @Test(arguments: [
    (12.345, Unit.microseconds, "12.3 µs"), (0.9996, .microseconds, "1.00 µs"),
    (999.96, .milliseconds, "1.00 s"),
    (0, .seconds, "0 ns"), (1_234_567, .bytes, "1.23 MB"), (123_456, .pages, "123,456 pages"),
    (0.25, .nanoseconds, "0.250 ns"), (123_400, .seconds, "123,400 s"),
  ])
  func figuresHaveThreeDigits(value: Double, unit: BenchmarkKit.Unit, text: String) {
    #expect(Quantity.text(value, unit) == text)
  }
}
