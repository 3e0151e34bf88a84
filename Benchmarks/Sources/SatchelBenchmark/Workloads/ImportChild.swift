import BenchmarkKit
import Engines
import Foundation

/// Loads lines into a new store in this process and ends it: what a child process does whose memory is watched. For
/// Satchel the process becomes `satchel import`.
public func measureImport(_ engine: EngineName, lines: String, user: String, store: String) throws {
  switch engine {
  case .satchel:
    // Ignored signals stay so in what the process becomes.
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    let arguments = ["satchel", "import", store, lines, "--as", user, "--skip-invalid"]
    let null = open("/dev/null", O_WRONLY)
    dup2(null, 1)
    dup2(null, 2)
    var pointers = arguments.map { strdup($0) }
    pointers.append(nil)
    execv(try SatchelTool().path, pointers)
    throw CocoaError(.executableLoad)
  case .sqlite: try SQLiteEngine.load(LineFile(lines), into: store, user: user)
  case .grdb: try GRDBEngine.load(LineFile(lines), into: store, user: user)
  case .disk: throw CocoaError(.featureUnsupported)
  case .lmdb: try LMDBEngine(store).load(LineFile(lines), user: user)
  }
}
