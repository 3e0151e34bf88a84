import Foundation
import Testing

/// Files of others at the places that the program writes to.
@Suite struct ForeignFileTests {
  @Test(arguments: ["query", "stats", "export", "dump", "verify"]) func aLinkAtTheLockFile(_ command: String)
    throws
  {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let victim = try directory.write("victim", "precious".utf8)
    try? FileManager.default.removeItem(atPath: store + "/lock.mdb")
    try FileManager.default.createSymbolicLink(atPath: store + "/lock.mdb", withDestinationPath: victim)
    let result = try Tool.run([command, store] + (command == "query" ? ["messages"] : []))
    #expect(result.status == 1)
    #expect(result.errors.contains("lock.mdb") && result.errors.contains("symbolic link"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
  }

  /// An export neither follows nor destroys nor waits for what is beside its target under a name that can be guessed.
  @Test(arguments: ["link", "file", "fifo", "directory"]) func nothingBesideTheTargetMatters(_ kind: String)
    throws
  {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let victim = try directory.write("victim", "precious".utf8)
    let (target, beside) = (directory("out.jsonl"), directory("out.jsonl.partial"))
    switch kind {
    case "link": try FileManager.default.createSymbolicLink(atPath: beside, withDestinationPath: victim)
    case "file": try directory.write("out.jsonl.partial", "mine".utf8)
    case "fifo": try #require(mkfifo(beside, 0o600) == 0)
    default: try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: false)
    }
    #expect(try Tool.run("export", store, target).status == 0)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == Tool.run("export", store).output)
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    if kind == "file" { #expect(try String(contentsOfFile: beside, encoding: .utf8) == "mine") }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ["out.jsonl", "out.jsonl.partial", "sample.jsonl", "store", "victim"])
    #expect((try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int) == 0o600)
  }

  /// An export replaces no file of a store, be it another one.
  @Test func noFileOfAStoreIsATarget() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let copy = directory("copy.bin")
    try FileManager.default.copyItem(atPath: store + "/data.mdb", toPath: copy)
    let before = try Tool.run("export", store).output
    for target in [store + "/data.mdb", store + "/lock.mdb", store + "/import.lock", copy] {
      let result = try Tool.run("export", store, target)
      #expect(
        result.status == 1 && result.errors.contains("a file of a store"), "\(target): \(result.errors)")
    }
    #expect(try Tool.run("export", store).output == before)
    #expect(try Tool.run("verify", store).status == 0)
  }

  /// A FIFO that nobody reads is not waited for, and one of somebody else gets nothing.
  @Test func aFIFOAtTheTarget() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let target = directory("fifo")
    try #require(mkfifo(target, 0o666) == 0)
    let unread = try Tool.run("export", store, target)
    #expect(unread.status == 1 && unread.errors.contains("nobody reads it"), "\(unread.errors)")
    // Not waited for by this test either; a reader has to be there before the export.
    let reader = open(target, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { close(reader) }
    #expect(try Tool.run("export", store, target).status == 0)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reader, &bytes, bytes.count)
    #expect(
      try String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == Tool.run("export", store).output)
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can give files away"))
  func aFIFOOfSomebodyElseAtTheTarget() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let target = directory("fifo")
    try #require(mkfifo(target, 0o666) == 0)
    let reader = open(target, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { close(reader) }
    try #require(chown(target, 65534, 65534) == 0)
    let foreign = try Tool.run("export", store, target)
    #expect(foreign.status == 1 && foreign.errors.contains("65534"), "\(foreign.errors)")
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    #expect(read(reader, &bytes, bytes.count) <= 0)
    // A pipe that the program was given is somebody's whom it was given by.
    let output = directory("output")
    let script = Process()
    script.executableURL = URL(fileURLWithPath: "/bin/sh")
    script.arguments = [
      "-c",
      #"exec 3>&1; { chown 65534 /proc/self/fd/1 2>&3 && "$1" export "$2" /dev/stdout 2>&3; } | cat >"$3""#,
      "sh",
      Tool.path, store, output,
    ]
    try script.run()
    script.waitUntilExit()
    #expect(script.terminationStatus == 0)
    #expect(try String(contentsOfFile: output, encoding: .utf8) == Tool.run("export", store).output)
  }

  /// The superuser may be the first to look at a store: its owner can use it afterwards.
  @Test(.enabled(if: geteuid() == 0, "only the superuser can give files away"))
  func theSuperuserLocksNobodyOut() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    for name in ["", "/data.mdb"] { try #require(chown(store + name, 65534, 65534) == 0) }
    try? FileManager.default.removeItem(atPath: store + "/lock.mdb")
    #expect(try Tool.run("stats", store).status == 0)
    let owner = try FileManager.default.attributesOfItem(atPath: store + "/lock.mdb")[.ownerAccountID]
    #expect((owner as? NSNumber)?.intValue == 65534)
  }

  /// A link at the target itself is replaced, and what it leads to stays.
  @Test func aLinkAtTheTargetIsReplaced() throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    let victim = try directory.write("victim", "precious".utf8)
    let target = directory("out.jsonl")
    try FileManager.default.createSymbolicLink(atPath: target, withDestinationPath: victim)
    #expect(try Tool.run("export", store, target).status == 0)
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == Tool.run("export", store).output)
  }

  /// Exports of two stores to one target at once: the file is one of them, whole.
  @Test func exportsToOneTargetDoNotMix() throws {
    let directory = try Tool.Directory()
    var exports: [String] = []
    for seed in ["1", "2"] {
      let chat = try directory.write(
        "chat.jsonl", try Tool.run("generate", "--messages", "800", "--seed", seed).output.utf8)
      #expect(try Tool.run("import", directory("s" + seed), chat, "--as", "alice").status == 0)
      exports.append(try Tool.run("export", directory("s" + seed)).output)
    }
    let result = try Tool.shell(
      """
      for round in 1 2 3 4; do
        for store in s1 s2 s1; do "$satchel" export "$1/$store" "$1/out" >/dev/null & done
        wait
        cmp -s "$1/out" <("$satchel" export "$1/s1") || cmp -s "$1/out" <("$satchel" export "$1/s2") || echo mixed
      done
      ls -A "$1"
      """, directory.path)
    #expect(result.output == "chat.jsonl\nout\ns1\ns2\n")
    #expect(result.errors == "")
  }

  @Test func aPathThatIsNoTextIsRefused() throws {
    let directory = try Tool.Directory()
    let result = try Tool.shell(
      "cd \"$1\"; \"$satchel\" import $'st\\xffore' - --as alice </dev/null", directory.path)
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("satchel: argument 2 is not UTF-8: "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  /// At once: not after the end of its input, which does not come before the import has ended.
  @Test func anImportToNowhereFailsAtOnce() throws {
    let directory = try Tool.Directory()
    let result = try Tool.shell(
      "cd \"$1\"; mkfifo in; exec 3<>in; \"$satchel\" import '' - --as alice <in; echo $?", directory.path)
    #expect(result.output == "64\n")
    #expect(result.errors.contains("path of the store is empty"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["in"])
  }

  /// A limit of a file's size is an error that the program tells, not a signal that ends it.
  @Test(.disabled(if: Tool.isUnderThreadSanitizer)) func aLimitOfAFilesSizeIsAnError() throws {
    let directory = try Tool.Directory()
    let chat = try directory.write("chat.jsonl", try Tool.run("generate", "--messages", "1000").output.utf8)
    let result = try Tool.shell(
      "ulimit -f 128; \"$satchel\" import \"$1\" \"$2\" --as alice", directory("store"), chat)
    #expect(result.status == 1)
    #expect(result.errors.contains("no room") || result.errors.contains("too large"), "\(result.errors)")
    #expect(!directory.exists("store") && !directory.exists("store.importing"))
    #expect(try Tool.run("import", directory("store"), chat, "--as", "alice").status == 0)
    let export = try Tool.shell(
      "ulimit -f 64; \"$satchel\" export \"$1\" \"$2\"", directory("store"), directory("out"))
    #expect(export.status == 1)
    #expect(export.errors == "satchel: cannot write: File too large\n")
    #expect(!directory.exists("out"))
  }
}
