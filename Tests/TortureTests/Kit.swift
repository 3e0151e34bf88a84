import Foundation
import TestSupport
import TortureKit

/// The harness as the tests run it: small, and by default with the same seed every time.
enum Kit {
  static func programs() throws -> Programs {
    try Programs(satchel: path("satchel"), torture: path("satchel-torture"))
  }

  /// The seed, printed so that a failure can be repeated with `SATCHEL_SEED`.
  static func seed(_ test: String = #function) -> UInt64 {
    TestEnvironment.seed(for: test, usual: 20_260_101)
  }

  /// A built program: beside the test bundle, or else in the build directory of the package.
  private static func path(_ name: String) -> String {
    let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
    if FileManager.default.isExecutableFile(atPath: beside) { return beside }
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { package.deleteLastPathComponent() }
    #if DEBUG
      return package.appendingPathComponent(".build/debug/\(name)").path
    #else
      return package.appendingPathComponent(".build/release/\(name)").path
    #endif
  }
}
