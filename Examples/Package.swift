// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as a program outside the repository would be.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "satchel", path: "..")],
  targets: [
    .executableTarget(
      name: "Chat",
      dependencies: [
        .product(name: "Satchel", package: "satchel"), .product(name: "SatchelResponses", package: "satchel"),
      ]),
    .executableTarget(name: "Find", dependencies: [.product(name: "Satchel", package: "satchel")]),
    .executableTarget(name: "Inbox", dependencies: [.product(name: "Satchel", package: "satchel")]),
    .executableTarget(name: "Scrollback", dependencies: [.product(name: "Satchel", package: "satchel")]),
    .executableTarget(name: "ToDo", dependencies: [.product(name: "Satchel", package: "satchel")]),
  ],
  swiftLanguageModes: [.v6]
)
