// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what only benchmarks need never reaches those who use the library.
let package = Package(
  name: "satchel-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "satchel", path: "..")],
  targets: [
    // How is measured and reported; knows no store.
    .target(name: "BenchmarkKit"),
    .testTarget(name: "BenchmarkKitTests", dependencies: ["BenchmarkKit"]),

    .executableTarget(
      name: "LiveBenchmark", dependencies: [.product(name: "Satchel", package: "satchel")]),
  ],
  swiftLanguageModes: [.v6]
)
