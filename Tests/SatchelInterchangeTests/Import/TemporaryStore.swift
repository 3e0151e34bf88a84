import SatchelCare
import SatchelInterchange
import SatchelReading
import SatchelStorage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A place for a store in a directory of its own, gone with the value.
final class TemporaryStore {
  private let directory: String
  let path: String

  init() throws {
    var template = Array("/tmp/satchel-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TemporaryFile.Failure(code: errno) }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = directory + "/store"
  }

  /// Whether anything is at the path or was left beside it.
  var exists: Bool { access(path, F_OK) == 0 || access(path + ".importing", F_OK) == 0 }

  /// The lines of an export.
  func export() throws -> [String] {
    String(decoding: try exportedBytes(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func exportedBytes() throws -> [UInt8] {
    try read { snapshot in
      let file = try TemporaryFile()
      var exporter = Exporter(snapshot, to: file.descriptor)
      _ = try exporter.run()
      return file.content()
    }
  }

  /// The number of faults that a check of the whole store finds.
  func verify() throws -> Int { try read { try Verifier.verify($0).faultCount } }

  func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    let store = try Store.open(directory: path, user: nil)
    defer { store.close() }
    return try store.read(body)
  }

  deinit {
    for name in ["data.mdb", "lock.mdb", "import.lock"] { unlink(path + "/" + name) }
    rmdir(path)
    rmdir(directory)
  }
}
