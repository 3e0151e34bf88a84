#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The library that stands between a program and the file system; see Shim/shim.c.
package struct Shim: Sendable {
  /// What happens at a call.
  package enum Event: String, CaseIterable, Sendable {
    case kill, torn, after, eio, enospc, short, stop
  }

  /// A promise of the program that the log shows as broken.
  package enum Cheat: String, Sendable {
    /// The journal is not synced.
    case journal
    /// A sync of the journal comes after the acknowledgement.
    case late
    /// A meta page of LMDB is not synced before the journal's space is used again.
    case meta
  }

  private let library: String

  /// Compiles the library where that has not been done.
  package init() throws {
    #if !os(Linux)
      throw TortureError("calls are intercepted on Linux only")
    #endif
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Shim/shim.c").path
    let text = try Files.read(source)
    let name = text.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
    library = "/tmp/satchel-shim-\(name)-\(getuid()).so"
    guard !Files.exists(library) else { return }
    let scratch = try Scratch()
    for compiler in ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc", "/opt/swift/usr/bin/clang"]
    where Files.exists(compiler) {
      let made = library + ".\(getpid())"
      let result = try Child.run(
        compiler, ["-O1", "-fPIC", "-shared", "-pthread", "-o", made, source], in: scratch.path)
      guard result.end == .exited(0) else { throw TortureError("\(compiler): \(result.errors)") }
      guard rename(made, library) == 0 else { throw TortureError("cannot make \(library)") }
      return
    }
    throw TortureError("the shim needs a C compiler: install cc or clang")
  }

  /// The libraries that a program is started with: also those of this one, as the thread sanitizer's, without which it takes a mutex for
  /// a race.
  private var preload: String {
    let others = ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? ""
    return others.isEmpty ? library : "\(library):\(others)"
  }

  /// The environment of a program whose changes below a directory are recorded.
  package func recording(
    _ root: String, log: String, marks: String, cheat: Cheat? = nil
  ) -> [String: String] {
    var environment = [
      "LD_PRELOAD": preload, "SATCHEL_SHIM_ROOT": root, "SATCHEL_SHIM_LOG": log, "SATCHEL_SHIM_MARKS": marks,
    ]
    if let cheat { environment["SATCHEL_SHIM_CHEAT"] = cheat.rawValue }
    return environment
  }

  /// The environment of a program whose calls are counted in the file `state`, and hit by an event from one of them on.
  package func meeting(
    _ root: String, state: String, at call: Int? = nil, _ event: Event = .kill, goesOn: Bool = false,
    countsReads: Bool = false, countsLocks: Bool = false
  ) throws -> [String: String] {
    try Files.write([UInt8](repeating: 0, count: 16), to: state)
    var environment = ["LD_PRELOAD": preload, "SATCHEL_SHIM_ROOT": root, "SATCHEL_SHIM_STATE": state]
    if countsReads { environment["SATCHEL_SHIM_READS"] = "1" }
    if countsLocks { environment["SATCHEL_SHIM_LOCKS"] = "1" }
    if let call {
      environment["SATCHEL_SHIM_AT"] = String(call)
      environment["SATCHEL_SHIM_DO"] = event.rawValue
      if goesOn { environment["SATCHEL_SHIM_ON"] = "1" }
    }
    return environment
  }

  /// How many calls were counted, and how many were hit.
  package static func counts(_ state: String) throws -> (calls: Int, hits: Int) {
    let bytes = try Files.read(state)
    func number(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    return (number(0), number(8))
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
