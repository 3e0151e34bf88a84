package import SatchelModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that cannot be opened, made or moved to its path. `FileDescriptorError` is a file that is open and cannot be
/// read or written.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let operation: FileDescriptorError.Operation
  package let path: String
  /// The code of the error that a program gets.
  package let code: SatchelError.Code
  /// What the system says, or what is wrong with what is at the path.
  package let reason: String

  package init(
    _ operation: FileDescriptorError.Operation, _ path: String, _ code: SatchelError.Code, _ reason: String
  ) {
    self.operation = operation
    self.path = path
    self.code = code
    self.reason = reason
  }

  /// Creates the failure for an error number of the system.
  init(_ operation: FileDescriptorError.Operation, _ path: String, code: Int32) {
    self.init(operation, path, .ofSystem(code), unsafe String(cString: strerror(code)))
  }

  package var description: String {
    code == .notSynced
      ? "\(path) is complete, but its directory could not be synced (\(reason)): the loss of power may undo it"
      : "cannot \(operation.rawValue) \(path): \(reason)"
  }
}

extension SatchelError {
  /// Creates the public error for a file that cannot be read or written.
  init(_ failure: FileFailure) {
    let context = ["path": failure.path, "found": failure.reason]
    switch (failure.code, failure.operation) {
    case (.notSynced, _):
      self.init(
        .notSynced,
        "The file is complete, but its directory could not be synced: the loss of power may undo it", context)
    case (_, .read): self.init(failure.code, "The file cannot be read", context)
    case (_, .write): self.init(failure.code, "The file cannot be written", context)
    }
  }

  /// Creates the public error for a read or write that the system refused.
  /// - Parameter path: The path of the file, if it is known.
  init(_ error: FileDescriptorError, path: String?) {
    var context = [
      "operation": error.operation.rawValue, "found": unsafe String(cString: strerror(error.code)),
    ]
    context["path"] = path
    self.init(.ofSystem(error.code), "The system refused to read or write the file", context)
  }
}

extension SatchelError.Code {
  /// Returns the code for an error number of the system.
  fileprivate static func ofSystem(_ code: Int32) -> SatchelError.Code {
    switch code {
    case EACCES, EPERM, EROFS: .permissionDenied
    case ENOSPC, EDQUOT: .storeFull
    default: .io
    }
  }
}
