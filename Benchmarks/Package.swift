// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what only benchmarks need never reaches those who use the library.
let package = Package(
  name: "satchel-benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "satchel-benchmark", targets: ["SatchelBenchmark"]),
    .executable(name: "satchel-stress", targets: ["Stress"]),
  ],
  dependencies: [
    .package(name: "satchel", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    // How is measured and reported; knows no store.
    .target(name: "BenchmarkKit"),
    .testTarget(name: "BenchmarkKitTests", dependencies: ["BenchmarkKit"]),

    // What is measured: the same data in each of the engines.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CLMDBFloor", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .target(
      name: "Engines",
      dependencies: [
        "CSQLite", "CLMDBFloor",
        .product(name: "Satchel", package: "satchel"),
        .product(name: "SatchelRelations", package: "satchel"),
        .product(name: "SatchelResponses", package: "satchel"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // What is asked of them; in the folder of the command that runs it, as its report links to it.
    .target(
      name: "Workloads",
      dependencies: [
        "BenchmarkKit", "Engines",
        .product(name: "Satchel", package: "satchel"),
        .product(name: "SatchelRelevance", package: "satchel"),
        .product(name: "SatchelRelations", package: "satchel"),
        .product(name: "SatchelResponses", package: "satchel"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      path: "Sources/SatchelBenchmark/Workloads"),
    .executableTarget(
      name: "SatchelBenchmark",
      dependencies: [
        "BenchmarkKit", "CLMDBFloor", "CSQLite", "Engines", "Workloads",
        .product(name: "satchel", package: "satchel"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Workloads"]),
    .executableTarget(
      name: "BenchmarkCheck",
      dependencies: [
        "BenchmarkKit", "Engines", "Workloads",
        // Imports, exports and statistics are the tool's; it is run beside the benchmark.
        .product(name: "satchel", package: "satchel"),
      ]),
    // Hours of random work against a model.
    .executableTarget(
      name: "Stress",
      dependencies: [
        .product(name: "Satchel", package: "satchel"), .product(name: "SatchelRelations", package: "satchel"),
        .product(name: "SatchelResponses", package: "satchel"), .product(name: "satchel", package: "satchel"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "LiveBenchmark", dependencies: [.product(name: "Satchel", package: "satchel")]),
  ],
  swiftLanguageModes: [.v6]
)
