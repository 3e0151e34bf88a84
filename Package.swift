// swift-tools-version: 6.2
import PackageDescription

// Targets stand in the order of the data's way through them; each one is followed by its tests. Sources/README.md
// tells the same story in words.
let package = Package(
  name: "satchel",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Satchel", targets: ["Satchel"]),
    .library(name: "SatchelDialects", targets: ["SatchelDialects"]),
    .library(name: "SatchelFoundation", targets: ["SatchelFoundation"]),
    .library(name: "SatchelInterchange", targets: ["SatchelInterchange"]),
    .library(name: "SatchelResponses", targets: ["SatchelResponses"]),
    .library(name: "SatchelRelations", targets: ["SatchelRelations"]),
    .library(name: "SatchelRelevance", targets: ["SatchelRelevance"]),
    .executable(name: "satchel", targets: ["SatchelTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    // What guards files: locks, threads, errors, and what the system tells of changes.
    .systemLibrary(name: "CSystem"),
    .target(name: "StoreFiles", dependencies: ["CSystem"]),
    // LMDB's pages, read without LMDB: nothing in them is trusted.
    .target(name: "LMDBPages", dependencies: ["StoreFiles"]),
    // The file: bytes in transactions, and ordered trees of them.
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .target(name: "LMDB", dependencies: ["CLMDB", "CSystem", "LMDBPages", "StoreFiles"]),
    .testTarget(
      name: "LMDBTests",
      dependencies: ["LMDB", "CLMDB", "LMDBPages", "LMDBScenes", "StoreFiles", "TestSupport"]),
    // Scratch stores and threads, for the tests of those who write to LMDB.
    .target(name: "LMDBScenes", dependencies: ["LMDB", "StoreFiles"], path: "Tests/LMDBScenes"),
    .target(name: "SatchelBytes"),
    .testTarget(name: "SatchelBytesTests", dependencies: ["SatchelBytes", "TestSupport"]),
    // The file beside it: records in a chain, appended and synced before they are anywhere else.
    .target(name: "Journal", dependencies: ["StoreFiles", "SatchelBytes"]),
    .testTarget(
      name: "JournalTests", dependencies: ["Journal", "StoreFiles", "SatchelBytes", "TestSupport"]),
    // What an index is asked for, without what stores it.
    .target(name: "RankedKeys", dependencies: ["SatchelBytes"]),
    .target(name: "RankedIndex", dependencies: ["LMDB", "StoreFiles", "RankedKeys", "SatchelBytes"]),
    .testTarget(
      name: "RankedIndexTests",
      dependencies: ["RankedIndex", "RankedKeys", "LMDB", "SatchelBytes", "TestSupport"]),

    // Pure: what is stored, what may be asked, and the bytes of both.
    .target(name: "SatchelText"),
    .testTarget(name: "SatchelTextTests", dependencies: ["SatchelText", "TestSupport"]),
    .target(name: "SatchelModel", dependencies: ["SatchelBytes", "SatchelText"]),
    // Full-text search without what stores it: the words of texts, patterns of them, and which texts match.
    .target(name: "SatchelSearch", dependencies: ["SatchelModel", "SatchelText"]),
    .testTarget(
      name: "SatchelSearchTests",
      dependencies: ["SatchelSearch", "SatchelModel", "SatchelText", "TestSupport"]),
    // The application's own objects: their types, and their values.
    .target(name: "SatchelRecords", dependencies: ["SatchelModel", "SatchelText"]),
    .testTarget(
      name: "SatchelRecordsTests", dependencies: ["SatchelRecords", "SatchelModel", "TestSupport"]),
    .testTarget(name: "SatchelModelTests", dependencies: ["SatchelModel", "TestSupport"]),
    .target(
      name: "SatchelQuery", dependencies: ["SatchelModel", "SatchelRecords", "SatchelSearch", "SatchelText"]),
    .testTarget(
      name: "SatchelQueryTests",
      dependencies: [
        "SatchelQuery", "SatchelModel", "SatchelRecords", "SatchelSearch", "SatchelText", "TestSupport",
      ]),
    .target(
      name: "SatchelCoding", dependencies: ["SatchelRecords", "SatchelModel", "SatchelBytes", "SatchelText"]),
    .testTarget(
      name: "SatchelCodingTests",
      dependencies: [
        "SatchelRecords", "SatchelCoding", "SatchelIndexing", "SatchelModel", "SatchelBytes", "SatchelText",
        "TestSupport",
      ]),
    .target(
      name: "SatchelIndexing",
      dependencies: ["RankedKeys", "SatchelBytes", "SatchelCoding", "SatchelModel", "SatchelText"]),
    .testTarget(
      name: "SatchelIndexingTests",
      dependencies: [
        "SatchelIndexing", "SatchelCoding", "RankedIndex", "RankedKeys", "SatchelModel", "StoreModel",
        "TestSupport",
      ]),

    .target(
      name: "SatchelPlanning",
      dependencies: [
        "RankedKeys", "SatchelCoding", "SatchelIndexing", "SatchelModel", "SatchelQuery", "SatchelRecords",
        "SatchelSearch",
      ]),
    .testTarget(
      name: "SatchelPlanningTests",
      dependencies: [
        "SatchelPlanning", "SatchelIndexing", "SatchelCoding", "SatchelModel", "SatchelQuery",
        "SatchelRecords",
        "RankedKeys", "TestSupport",
      ]),

    // The records in LMDB with those that it does not have yet, and the bytes of what commits change.
    .target(
      name: "RecordStore",
      dependencies: [
        "Journal", "LMDB", "RankedIndex", "SatchelBytes", "SatchelCoding", "SatchelIndexing", "StoreFiles",
      ]),

    // Commits: through the journal, with it to LMDB, and back after a crash.
    .target(
      name: "CommitEngine",
      dependencies: ["Journal", "LMDB", "RecordStore", "SatchelCoding", "SatchelModel", "StoreFiles"]),
    .testTarget(
      name: "CommitEngineTests",
      dependencies: ["CommitEngine", "LMDB", "LMDBScenes", "StoreFiles", "TestSupport"]),
    // What a read is: one state of a store, and its objects as values.
    .target(
      name: "SatchelReading",
      dependencies: [
        "SatchelRecords", "CommitEngine", "Journal", "LMDB", "RankedIndex", "RankedKeys", "RecordStore",
        "SatchelBytes",
        "SatchelCoding", "SatchelIndexing", "SatchelModel", "SatchelText", "StoreFiles",
      ]),
    // What an import into a new store keeps back, to write it in the order of keys.
    .target(
      name: "SatchelGathering",
      dependencies: [
        "CommitEngine", "RankedIndex", "RankedKeys", "RecordStore", "SatchelCoding", "SatchelIndexing",
        "SatchelModel", "StoreFiles",
      ]),
    // What a write is: changes of objects, with all that follows from them.
    .target(
      name: "SatchelWriting",
      dependencies: [
        "SatchelRecords", "CommitEngine", "Journal", "LMDB", "RankedIndex", "RankedKeys", "RecordStore",
        "SatchelBytes",
        "SatchelCoding", "SatchelGathering", "SatchelIndexing", "SatchelModel", "SatchelReading",
        "SatchelText",
        "StoreFiles",
      ]),
    // What builds anew, from the records, all that follows from them.
    .target(
      name: "SatchelRebuilding",
      dependencies: [
        "LMDB", "RankedIndex", "RankedKeys", "RecordStore", "SatchelCoding", "SatchelIndexing",
        "SatchelModel", "SatchelReading", "SatchelWriting",
      ]),
    // The store: records and indexes kept in step, and plans run over them.
    .target(
      name: "SatchelStorage",
      dependencies: [
        "SatchelRebuilding",
        "CommitEngine", "Journal", "LMDB", "RecordStore", "SatchelReading", "SatchelWriting", "StoreFiles",
        "RankedIndex", "RankedKeys", "SatchelBytes", "SatchelCoding", "SatchelGathering", "SatchelIndexing",
        "SatchelModel",
      ]),
    .testTarget(
      name: "SatchelStorageTests",
      dependencies: [
        "SatchelRecords", "CommitEngine", "RecordStore", "SatchelReading", "SatchelStorage", "SatchelCare",
        "SatchelImport",
        "Journal", "SatchelIndexing", "SatchelCoding", "RankedIndex", "RankedKeys", "LMDB", "LMDBPages",
        "SatchelWriting", "StoreFiles", "SatchelModel", "SatchelBytes", "StoreModel", "TestSupport",
      ]),
    // Imports: of many objects at once, into a new store or beside other writers of one that exists.
    .target(
      name: "SatchelImport",
      dependencies: [
        "SatchelRecords", "CommitEngine", "LMDB", "SatchelGathering", "SatchelReading", "SatchelWriting",
        "StoreFiles", "SatchelCoding", "SatchelModel", "SatchelStorage",
      ]),
    // What keeps stores well: verification, repair, salvage, backups, statistics.
    .target(
      name: "SatchelCare",
      dependencies: [
        "SatchelRecords", "CommitEngine", "Journal", "LMDB", "LMDBPages", "RecordStore", "SatchelReading",
        "SatchelWriting",
        "StoreFiles", "RankedIndex", "RankedKeys", "SatchelBytes", "SatchelCoding", "SatchelImport",
        "SatchelIndexing", "SatchelModel", "SatchelStorage", "SatchelText",
      ]),
    // Random operations, and what a store has to hold after them.
    .target(
      name: "StoreModel",
      dependencies: [
        "LMDB", "RankedIndex", "RankedKeys", "SatchelCoding", "SatchelIndexing", "SatchelModel",
        "SatchelReading", "SatchelRecords", "SatchelStorage", "SatchelWriting", "TestSupport",
      ],
      path: "Tests/StoreModel"),
    // Searches in the terms of an index of words.
    .target(
      name: "SatchelJoins",
      dependencies: [
        "RankedIndex", "RankedKeys", "SatchelCoding", "SatchelIndexing", "SatchelPlanning", "SatchelReading",
        "SatchelSearch",
      ]),
    .target(
      name: "SatchelExecution",
      dependencies: [
        "RankedIndex", "RankedKeys", "SatchelBytes", "SatchelCoding", "SatchelIndexing", "SatchelJoins",
        "SatchelModel",
        "SatchelPlanning", "SatchelQuery", "SatchelReading", "SatchelRecords", "SatchelSearch",
        "SatchelText",
      ]),
    .testTarget(
      name: "SatchelExecutionTests",
      dependencies: [
        "SatchelExecution", "SatchelModel", "SatchelPlanning", "SatchelQuery", "SatchelReading",
        "SatchelStorage", "SatchelWriting", "TestSupport",
      ]),

    // Live queries: what commits change in the lists that programs show.
    .target(
      name: "SatchelLive",
      dependencies: [
        "RankedIndex", "RankedKeys", "SatchelCoding", "SatchelExecution", "SatchelIndexing", "SatchelModel",
        "SatchelPlanning", "SatchelQuery", "SatchelReading", "SatchelRecords", "SatchelStorage",
      ]),
    // Indexes that are declared and dropped while others ask and write.
    .target(
      name: "IndexChurn",
      dependencies: ["Satchel", "SatchelModel", "SatchelPlanning", "SatchelQuery", "TestSupport"],
      path: "Tests/IndexChurn"),
    .testTarget(
      name: "SatchelLiveTests",
      dependencies: [
        "IndexChurn", "Satchel", "SatchelExecution", "SatchelInterchange", "SatchelLive", "SatchelModel",
        "SatchelPlanning",
        "SatchelQuery", "SatchelReading", "SatchelRelations", "SatchelResponses", "SatchelStorage",
        "SatchelText",
        "SatchelWriting", "TestSupport",
      ]),

    // Commits as programs follow them: what the change log says, in words.
    .target(
      name: "SatchelFeed",
      dependencies: ["SatchelRecords", "SatchelCoding", "SatchelModel", "SatchelReading", "SatchelText"]),
    // The public face, the interchange format, the command line.
    .target(
      name: "Satchel",
      dependencies: [
        "SatchelRecords", "CommitEngine", "LMDB", "SatchelFeed", "SatchelReading", "SatchelWriting",
        "StoreFiles", "SatchelCare",
        "SatchelCoding", "SatchelExecution", "SatchelLive", "SatchelModel", "SatchelPlanning", "SatchelQuery",
        "SatchelSearch", "SatchelStorage", "SatchelText",
      ]),
    // What others say to messages, for programs that show it: reactions, replies and threads.
    .target(
      name: "SatchelResponses",
      dependencies: [
        "Satchel", "SatchelCoding", "SatchelModel", "SatchelQuery", "SatchelReading", "SatchelRecords",
        "SatchelText", "SatchelWriting",
      ]),
    // Who follows, befriends or blocks whom, and questions for what such users have.
    .target(
      name: "SatchelRelations",
      dependencies: [
        "Satchel", "SatchelModel", "SatchelQuery", "SatchelReading", "SatchelRecords", "SatchelText",
        "SatchelWriting",
      ]),
    // Searches by relevance, and what words there are to search for.
    .target(
      name: "SatchelRelevance",
      dependencies: [
        "RankedIndex", "RankedKeys", "Satchel", "SatchelCoding", "SatchelExecution", "SatchelIndexing",
        "SatchelModel", "SatchelPlanning", "SatchelQuery", "SatchelReading", "SatchelSearch",
      ]),
    .testTarget(
      name: "SatchelTests",
      dependencies: [
        "LMDB", "RankedIndex", "Satchel", "SatchelCare", "SatchelCoding", "SatchelExecution",
        "SatchelImport", "SatchelModel", "SatchelPlanning", "SatchelReading", "SatchelRelevance",
        "SatchelScenes", "SatchelSearch", "SatchelStorage", "SatchelWriting", "TestSupport",
      ]),
    // What applications declare or switch on: record types, indexes, aggregates; reactions, relations, participations; and other
    // services' objects, as samples of it. A target of its own, so that it compiles beside the one above.
    .testTarget(
      name: "SatchelDeclarationTests",
      dependencies: [
        "LMDB", "RankedIndex", "RankedKeys", "Satchel", "SatchelCare", "SatchelCoding",
        "SatchelDialects", "SatchelExecution", "SatchelImport", "SatchelIndexing",
        "SatchelInterchange", "SatchelModel", "SatchelPlanning", "SatchelReading", "SatchelRelations",
        "SatchelResponses", "SatchelScenes", "SatchelSearch", "SatchelStorage", "SatchelWriting",
        "StoreModel", "TestSupport",
      ]),
    // Scratch stores, threads and commits, for both of these.
    .target(
      name: "SatchelScenes", dependencies: ["Satchel", "SatchelCare", "SatchelStorage"],
      path: "Tests/SatchelScenes"),
    // What needs the whole of Foundation, for programs that import it anyway.
    .target(name: "SatchelFoundation", dependencies: ["SatchelModel", "SatchelQuery"]),
    // Other services' spelling of queries.
    .target(
      name: "SatchelDialects",
      dependencies: ["SatchelModel", "SatchelQuery", "SatchelRecords", "SatchelText"]),
    .testTarget(
      name: "SatchelDialectsTests",
      dependencies: ["SatchelDialects", "SatchelModel", "SatchelQuery", "SatchelRecords", "TestSupport"],
      exclude: ["Golden"]),
    // The code of the articles in Satchel.docc.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Satchel", "SatchelDialects", "SatchelFoundation", "SatchelInterchange", "SatchelRelations",
        "SatchelRelevance", "SatchelResponses",
      ]),
    // One line of the interchange format: JSON, and what it says, both ways.
    .target(
      name: "SatchelLines",
      dependencies: [
        "Satchel", "SatchelBytes", "SatchelModel", "SatchelQuery", "SatchelRecords", "SatchelText",
        "SatchelWriting",
      ]),
    .testTarget(
      name: "SatchelLinesTests",
      dependencies: ["ChatGeneration", "SatchelLines", "SatchelModel", "SatchelWriting", "TestSupport"]),
    // Files of such lines: imports and exports.
    .target(
      name: "SatchelInterchange",
      dependencies: [
        "SatchelBytes", "SatchelRecords", "LMDB", "SatchelReading", "SatchelWriting", "StoreFiles",
        "RankedIndex", "RankedKeys", "Satchel",
        "SatchelCoding", "SatchelImport", "SatchelIndexing", "SatchelLines", "SatchelModel", "SatchelQuery",
        "SatchelStorage", "SatchelText",
      ]),
    .testTarget(
      name: "SatchelInterchangeTests",
      dependencies: [
        "SatchelBytes", "SatchelRecords", "ChatGeneration", "Satchel", "SatchelCare", "SatchelExecution",
        "SatchelInterchange", "SatchelLines", "SatchelModel",
        "SatchelReading", "SatchelStorage", "SatchelWriting", "StoreModel", "TestSupport",
      ]),
    // Made-up chats of any size, for trying out, tests and benchmarks.
    .target(name: "ChatGeneration", dependencies: ["SatchelLines", "SatchelModel"]),
    // What somebody at a terminal sees and types: tables, progress, a line that is edited.
    .target(
      name: "TerminalInterface",
      dependencies: [
        "SatchelInterchange", "SatchelLines", "SatchelModel", "SatchelQuery", "SatchelText", "StoreFiles",
      ]),
    // What is in a store's files, byte by byte and in words.
    .target(
      name: "Dumping",
      dependencies: [
        "SatchelRecords", "RankedIndex", "RankedKeys", "SatchelBytes", "SatchelCoding", "SatchelIndexing",
        "SatchelInterchange", "SatchelLines", "SatchelModel", "SatchelReading", "SatchelText",
        "TerminalInterface",
      ]),
    .executableTarget(
      name: "SatchelTool",
      dependencies: [
        "ChatGeneration", "Dumping", "SatchelReading", "StoreFiles", "RankedIndex", "Satchel",
        "SatchelCare", "SatchelCoding", "SatchelExecution", "SatchelIndexing", "SatchelInterchange",
        "SatchelLines",
        "SatchelModel", "SatchelQuery", "SatchelRelevance", "SatchelSearch", "SatchelStorage", "SatchelText",
        "SatchelWriting", "TerminalInterface",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "SatchelToolTests",
      dependencies: [
        "LMDB", "Satchel", "SatchelCare", "SatchelCoding", "SatchelStorage", "SatchelTool", "TestSupport",
      ]),
    // SQLite, which answers the queries of the differential test as well. Nothing below Sources knows it.
    .systemLibrary(
      name: "CSQLiteProof", path: "Tests/CSQLiteProof", providers: [.apt(["libsqlite3-dev"])]),
    .testTarget(
      name: "DifferentialTests",
      dependencies: [
        "CSQLiteProof", "IndexChurn", "Satchel", "SatchelCare", "SatchelExecution", "SatchelInterchange",
        "SatchelModel",
        "SatchelPlanning",
        "SatchelQuery", "SatchelRelevance", "SatchelResponses", "SatchelStorage", "TestSupport",
      ]),
    .testTarget(
      name: "GoldenTests",
      dependencies: [
        "ChatGeneration", "LMDB", "LMDBPages", "RankedIndex", "RankedKeys", "Satchel", "SatchelBytes",
        "SatchelCare", "SatchelCoding", "SatchelExecution", "SatchelIndexing", "SatchelInterchange",
        "SatchelLines",
        "SatchelModel", "SatchelPlanning", "SatchelQuery", "SatchelReading", "SatchelSearch",
        "SatchelStorage",
        "SatchelText", "SatchelWriting", "TestSupport",
      ],
      exclude: ["Golden"]),
    // Crashes, kills, failing calls and damage, and what they must not do. `satchel-torture` runs it, small or at length.
    .target(
      name: "TortureKit",
      dependencies: [
        "CommitEngine", "LMDB", "Satchel", "SatchelCare", "SatchelCoding", "SatchelExecution",
        "SatchelImport", "SatchelInterchange", "SatchelModel", "SatchelQuery", "SatchelReading",
        "SatchelRecords", "SatchelStorage", "SatchelWriting", "StoreModel", "TestSupport",
      ],
      path: "Tests/TortureKit", exclude: ["Shim"]),
    .executableTarget(
      name: "satchel-torture",
      dependencies: [
        "SatchelTool", "TortureKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Torture"),
    .testTarget(
      name: "TortureTests",
      dependencies: [
        "LMDB", "SatchelCare", "SatchelWriting", "satchel-torture", "SatchelModel", "SatchelStorage",
        "TestSupport", "TortureKit",
      ]),
    // The protocol of commits, played in memory: processes, a disk and a machine that fail at any step. `satchel-simulate` plays more.
    .target(
      name: "ProtocolSimulator",
      dependencies: [
        "CommitEngine", "Journal", "LMDB", "RecordStore", "StoreFiles", "SatchelBytes", "SatchelCoding",
        "SatchelModel", "SatchelStorage", "TestSupport",
      ],
      path: "Tests/ProtocolSimulator"),
    .executableTarget(
      name: "satchel-simulate",
      dependencies: [
        "ProtocolSimulator", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Simulate"),
    .testTarget(name: "ProtocolSimulatorTests", dependencies: ["ProtocolSimulator", "TestSupport"]),
    // What years of commits make of a file: the commits of a chat, and where the bytes go. `satchel-age` makes the table of
    // Documentation/Ageing.md.
    .target(
      name: "Ageing",
      dependencies: [
        "SatchelCare", "SatchelModel", "SatchelStorage", "SatchelWriting", "TestSupport",
      ],
      path: "Tests/Ageing"),
    .executableTarget(
      name: "satchel-age",
      dependencies: [
        "Ageing", "Satchel", "SatchelCare", "SatchelInterchange", "SatchelStorage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Age"),
    .testTarget(
      name: "AgeingTests",
      dependencies: [
        "Ageing", "LMDB", "SatchelCare", "SatchelCoding", "SatchelReading", "SatchelStorage", "StoreFiles",
        "TestSupport",
      ]),
    // What several test targets share: the random generator, FORMAT.md and golden files.
    .target(name: "TestSupport", dependencies: ["SatchelText"], path: "Tests/TestSupport"),

    // Everything that decodes bytes from outside, with what must hold for any bytes.
    .target(
      name: "Fuzzing",
      dependencies: [
        "Journal", "LMDB", "LMDBPages", "RecordStore", "SatchelWriting", "StoreFiles", "RankedIndex",
        "RankedKeys", "Satchel", "SatchelBytes", "SatchelCoding", "SatchelIndexing", "SatchelInterchange",
        "SatchelLines",
        "SatchelModel", "SatchelQuery", "SatchelSearch", "SatchelText", "TestSupport",
      ],
      path: "Tests/Fuzzing"),
    .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing", "TestSupport"], exclude: ["Corpus"]),
  ],
  swiftLanguageModes: [.v6]
)

// libFuzzer's program, which `make fuzz` builds: SATCHEL_FUZZ names the sanitizers that it is built and linked with, "fuzzer"
// or "fuzzer,address". Only the modules that decode are told of to libFuzzer: it looks through all that it knows after each
// input.
if let sanitizers = Context.environment["SATCHEL_FUZZ"] {
  package.targets.append(
    .executableTarget(
      name: "Fuzzer", dependencies: ["Fuzzing"], path: "Tests/Fuzzer", exclude: ["Dictionaries"],
      linkerSettings: [.unsafeFlags(["-sanitize=\(sanitizers)"])]))
  let decoding = [
    "Fuzzer", "Journal", "LMDB", "LMDBPages", "RankedIndex", "RecordStore", "SatchelBytes",
    "SatchelCoding", "SatchelInterchange", "SatchelLines", "SatchelModel", "SatchelQuery", "SatchelSearch",
    "SatchelText",
  ]
  for target in package.targets where decoding.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizers)"])]
  }
}

// An import is seen by its own file's target alone unless it says otherwise: what crosses targets is on purpose.
for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("InternalImportsByDefault")]
}

// In every target below Sources, each use of memory that the compiler does not check is marked `unsafe`. What belongs to
// the tests is a test target or has a path.
for target in package.targets where [.regular, .executable].contains(target.type) && target.path == nil {
  target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
