import Foundation
import Satchel
import SatchelCoding
import SatchelStorage
import Testing

/// Paths that are no store that can be opened: one line on standard error, status 1, and nothing is created.
@Suite struct StoreErrorTests {
  static let commands: [[String]] = [
    ["query", "STORE", "messages"], ["query", "STORE", "--batch"], ["explain", "STORE", "messages"],
    ["watch", "STORE", "messages"], ["stats", "STORE"],
    ["dump", "STORE"], ["export", "STORE"], ["verify", "STORE"],
  ]

  /// Runs every reading command on a path.
  static func expectFailure(of path: String, _ message: String) throws {
    for command in commands {
      let result = try Tool.run(command.map { $0 == "STORE" ? path : $0 })
      #expect(result.status == 1, "\(command)")
      #expect(result.errors.hasPrefix("satchel: " + message), "\(command): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.output == "")
    }
  }

  @Test func nothingIsThere() throws {
    let directory = try Tool.Directory()
    try Self.expectFailure(of: directory("store"), "There is no store at the path (")
    #expect(!directory.exists("store"))
  }

  @Test func anEmptyDirectory() throws {
    let directory = try Tool.Directory()
    try FileManager.default.createDirectory(atPath: directory("store"), withIntermediateDirectories: false)
    try Self.expectFailure(of: directory("store"), "There is no store at the path (")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory("store")) == [])
  }

  @Test func aFile() throws {
    let directory = try Tool.Directory()
    try Self.expectFailure(
      of: directory.write("store", "text".utf8), "What is at the path is not a Satchel store (")
  }

  /// A `data.mdb` of somebody else's, of nothing at all, of zeros, and one that was cut off.
  @Test(arguments: ["noise", "empty", "zeros", "cut"]) func aFileThatIsNoStore(_ kind: String) throws {
    let directory = try Tool.Directory()
    let file = URL(fileURLWithPath: try Sample.make(in: directory) + "/data.mdb")
    let whole = try Data(contentsOf: file)
    let content =
      switch kind {
      case "noise": Data(whole.indices.map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
      case "empty": Data()
      case "zeros": Data(count: whole.count)
      default: whole.prefix(whole.count / 2)
      }
    try content.write(to: file)
    for command in Self.commands {
      let result = try Tool.run(command.map { $0 == "STORE" ? directory("store") : $0 })
      // Damage is what verify looks for.
      #expect(
        result.status == 1 || command.first == "verify" && result.status == 4, "\(command): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count <= 1)
    }
    #expect(try Data(contentsOf: file) == content)
  }

  /// A page of LMDB's own without its marks: LMDB ends the process that reads it, and that is an answer.
  @Test func aZeroedPage() throws {
    let directory = try Tool.Directory()
    let file = URL(fileURLWithPath: try Sample.make(in: directory) + "/data.mdb")
    let whole = try Data(contentsOf: file)
    for page in 2..<whole.count / 4096 {
      var content = whole
      content.resetBytes(in: page * 4096..<(page + 1) * 4096)
      try content.write(to: file)
      let result = try Tool.run("verify", directory("store"))
      #expect(result.status == 4 || result.status == 1, "page \(page): \(result.output)\(result.errors)")
      if result.status == 4, page.isMultiple(of: 4) {
        let json = try Tool.run("verify", directory("store"), "--format", "json")
        let report = try InspectionTests.object(json.output)
        #expect(json.status == 4, "page \(page)")
        #expect(
          (report["faults"] as? [[String: String]])?.first?["finding"] != nil, "page \(page): \(report)")
      }
      #expect(result.output.isEmpty || result.lines.last?.hasPrefix("checked: ") == true)
      #expect(result.errors.split(separator: "\n").count <= 1, "page \(page): \(result.errors)")
    }
  }

  @Test func aNewerFormat() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let file = URL(fileURLWithPath: store + "/data.mdb")
    var content = [UInt8](try Data(contentsOf: file))
    // The header is the record with the magic at its eighth byte; every page that holds one gets the new one.
    let magic = Array("Satchel\0".utf8)
    var replaced = 0
    for start in content.indices.dropLast(200) where content[start..<start + 8].elementsEqual(magic) {
      let range = start - 8..<start - 8 + 80 + "alice".utf8.count + 8
      let header = try content[range].withUnsafeBytes {
        try StoreHeader(UnsafeRawBufferPointer(rebasing: $0[...]))
      }
      var newer = header
      newer.versions.format = 99
      newer.versions.minimumReader = 99
      content.replaceSubrange(range, with: newer.encode())
      replaced += 1
    }
    #expect(replaced > 0)
    try Data(content).write(to: file)
    try Self.expectFailure(
      of: store, "A newer version of Satchel wrote the store: open it with that version (")
    let lines = try directory.write("in.jsonl", lines: [Sample.header])
    #expect(try Tool.run("import", store, lines).status == 1)
  }

  @Test(.disabled(if: getuid() == 0, "permissions mean nothing to root"))
  func aDirectoryThatMayNotBeRead() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: store)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: store) }
    try Self.expectFailure(of: store, "The store may not be read or written (")
  }

  @Test(.disabled(if: getuid() == 0, "permissions mean nothing to root"))
  func aDirectoryThatMayNotBeWritten() throws {
    let directory = try Tool.Directory()
    let file = try directory.write("in.jsonl", lines: Sample.lines)
    try FileManager.default.createDirectory(atPath: directory("locked"), withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory("locked"))
    let result = try Tool.run("import", directory("locked/store"), file, "--as", "alice")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("satchel: The directory may not be read or written ("))
  }

  #if os(Linux)
    /// Runs a line of the shell, in which `$as` makes a program one of a user to whom permissions mean something. The directory `$1`
    /// is that user's.
    private static func asUser(_ script: String, _ directory: Tool.Directory) throws -> Tool.Result {
      try Tool.shell(
        """
        as=
        if [ "$(id -u)" = 0 ]; then
          chown -R 65534:65534 "$1"
          as="setpriv --reuid=65534 --regid=65534 --clear-groups"
        fi
        \(script)
        """, directory.path)
    }

    private static let hasUser =
      getuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    /// Whether there is a store is not known, so nobody is told that there is none.
    @Test(.enabled(if: hasUser), arguments: ["", "--as alice"])
    func anImportIntoADirectoryThatMayNotBeRead(_ options: String) throws {
      let directory = try Tool.Directory()
      _ = try Sample.make(in: directory)
      let result = try Self.asUser(
        """
        chmod 0 "$1/store"; $as "$satchel" import "$1/store" "$1/sample.jsonl" \(options); code=$?
        chmod 700 "$1/store"; exit $code
        """, directory)
      #expect(result.status == 1)
      #expect(
        result.errors.hasPrefix("satchel: The store may not be read or written (")
          && result.errors.contains("Permission denied") && !result.errors.contains("there is no store"),
        "\(result.errors)")
      #expect(!directory.exists("store.importing"))
    }

    /// What is to be done is said of the file that may not be used.
    @Test(.enabled(if: hasUser), arguments: ["journal", "journal.head"])
    func aFileThatMayNotBeReadIsNamed(_ name: String) throws {
      let directory = try Tool.Directory()
      let path = try Sample.make(in: directory)
      var options = Store.Options()
      options.create = false
      options.journal.commitsBefore = 0
      let store = try Store.open(directory: path, user: nil, options: options)
      for name in ["x", "y"] { _ = try store.write { try $0.setFollowed(true, Identity.ID(name)) } }
      for command in ["stats \"$1/store\"", "import \"$1/store\" \"$1/sample.jsonl\""] {
        let result = try Self.asUser(
          """
          chmod 0 "$1/store/\(name)"; $as "$satchel" \(command); code=$?
          chmod 600 "$1/store/\(name)"; exit $code
          """, directory)
        #expect(result.status == 1)
        #expect(
          result.errors.hasPrefix("satchel: The store may not be read or written (")
            && result.errors.contains("give this user read and write access to \(name) and"),
          "\(command): \(result.errors)")
      }
      store.close()
    }
  #endif
}
