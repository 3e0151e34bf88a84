import ArgumentParser
import SatchelInterchange
import SatchelModel
import SatchelText
import TerminalInterface

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The exit statuses of the program.
enum ExitStatus {
  static let success: Int32 = 0
  static let failure: Int32 = 1
  static let rejectedLines: Int32 = 3
  static let damage: Int32 = 4
  static let usage: Int32 = 64

  /// Ends the program after an error of a command: with one line on standard error and status 1, unless the error
  /// says otherwise.
  static func end(after error: any Error) -> Never {
    switch error {
    case let code as ExitCode: exit(code.rawValue)
    case let error as FileDescriptorError where error.operation == .write && error.code == EPIPE:
      exit(success)
    default:
      StandardError.report(String(describing: error) + ((error as? SatchelError)?.hint ?? ""))
      exit(failure)
    }
  }
}

extension SatchelError {
  /// What was probably meant by the name of a record type that there is not, which may have been meant as a kind of objects.
  fileprivate var hint: String? {
    // A type of the library that is off was not named: a condition needs it.
    guard code == .unknownRecordType, context["call"] == nil, let name = context["recordType"] else {
      return nil
    }
    let declared = context["declared"]?.split(separator: " ").map(String.init) ?? []
    let names = ObjectKind.builtIn.map(\.rawValue) + declared
    return Spelling.nearest(to: name, of: names).map { ": did you mean '\($0)'?" }
      ?? ": other objects are \(ObjectKind.names)"
  }
}

extension StandardError {
  /// Writes one line about what went wrong.
  static func report(_ message: String) {
    StandardError.write("satchel: " + message.oneLine + "\n")
  }
}
