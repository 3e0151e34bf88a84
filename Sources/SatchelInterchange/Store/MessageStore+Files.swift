import Satchel
import StoreFiles

extension MessageStore {
  /// Runs `body` and replaces the errors of files and lines with the public one; other errors pass.
  /// - Parameter path: The path of the file, if it is known.
  func translatingFileErrors<Result>(of path: String?, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileFailure {
      throw SatchelError(error)
    } catch let error as FileDescriptorError {
      throw SatchelError(error, path: path)
    } catch let error as Importer.Failure {
      var context = ["reason": error.reason]
      context["line"] = error.line.map(String.init)
      context["path"] = path
      throw error.code == .incompleteFile
        ? SatchelError(
          .incompleteFile, "The file is empty, damaged or cut off: nothing of it was taken", context)
        : SatchelError(
          .rejectedLine, "A line of the interchange format cannot be taken, and so none was", context)
    }
  }
}
