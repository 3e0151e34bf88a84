internal import SatchelModel
internal import SatchelStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Takes the writers' turn and never gives it back.
package enum HoldCommand {
  package static func run(store path: String, ready: String) throws {
    let store = try Workload(seed: 0, commits: 0).open(path, create: false)
    try store.write { writer in
      try writer.setFollowed(true, "never")
      try Files.write("", to: ready)
      sleep(600)
    }
  }
}
