public import ArgumentParser
import Satchel
public import SatchelModel
import SatchelQuery
import SatchelText

/// What a query asks for: a built-in kind of objects, or a record type of the application.
struct QueriedKind: ExpressibleByArgument {
  let kind: ObjectKind
  /// The name of the record type; nil for other kinds, and for `records`, which ``validate(in:)`` refuses. Whether it is declared is checked
  /// when the query runs.
  let recordType: String?

  init(_ kind: ObjectKind) {
    self.kind = kind
    recordType = nil
  }

  init?(argument: String) {
    // No record type has the name of a kind.
    if let kind = ObjectKind(rawValue: argument) {
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

extension QueriedKind {
  /// Refuses `records`, which says of no type whose records are meant.
  /// - Throws: `ValidationError`, with the types that are declared in the store, if it can be read.
  func validate(in store: StoreArgument) throws {
    guard kind == .records, recordType == nil else { return }
    throw ValidationError(
      "'records' says of no type whose records are meant: give the name of a record type"
        + ((try? store.read { try $0.namesOfTypes }).map { names in
          names.isEmpty ? ", of which the store has none" : ": " + names.joined(separator: ", ")
        } ?? ""))
  }
}

extension StoreSnapshot {
  /// The names of the record types that are declared, sorted.
  var namesOfTypes: [String] {
    get throws { try types().map(\.type.name).sorted(by: UTF8Order.isLess) }
  }
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
