import BenchmarkKit

/// A row with its rounds; SQLite's ratios come from `withRatios`.
func row(
  _ workload: String, _ engine: EngineName, _ rounds: Double..., n: Int? = 1_000_000,
  unit: BenchmarkKit.Unit = .microseconds, about: String = "what it does"
) -> BenchmarkKit.Result {
  BenchmarkKit.Result(
    workload: workload, n: n, engine: engine, unit: unit, statistics: Statistics(rounds)!, about: about,
    source: "Sources/SatchelBenchmark/Workloads/Pages.swift#L12")
}
