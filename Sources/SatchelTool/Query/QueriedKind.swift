public import ArgumentParser
public import SatchelModel
import SatchelQuery

/// What a query asks for: a built-in kind of objects, or a record type of the application.
struct QueriedKind: ExpressibleByArgument {
  let kind: ObjectKind
  /// The name of the record type; nil for other kinds. Whether it is declared is checked when the query runs.
  let recordType: String?

  init(_ kind: ObjectKind) {
    self.kind = kind
    recordType = nil
  }

  init?(argument: String) {
    if let kind = ObjectKind(argument: argument) {
      self.kind = kind
      recordType = nil
    } else {
      guard Reference.isRecordType(argument) else { return nil }
      kind = .records
      recordType = argument
    }
  }

  static let allValueStrings = ObjectKind.builtIn.map(\.rawValue)
  static let help = ArgumentHelp(
    "conversations, messages, parts, announcements or identities; or a record type that the application has declared.",
    valueName: "kind")
  /// For the text of an error.
  static let names = ObjectKind.names + ", or the name of a record type"
}

extension ObjectKind: ExpressibleByArgument {
  /// Makes a built-in kind; records have the names of their types.
  public init?(argument: String) {
    guard let kind = ObjectKind(rawValue: argument), ObjectKind.builtIn.contains(kind) else { return nil }
    self = kind
  }

  /// The built-in kinds.
  public static var allValueStrings: [String] { builtIn.map(\.rawValue) }
}
