import SatchelModel
import SatchelQuery

/// A query that is a text of the language and cannot be answered, and its error.
struct WrongQuery {
  let kind: ObjectKind
  let text: String
  let code: SatchelError.Code
  let message: String
  /// The names and values of the error, without the kind and the names that there are.
  let context: String

  init(_ kind: ObjectKind, _ text: String, _ code: SatchelError.Code, _ message: String, _ context: String) {
    self.kind = kind
    self.text = text
    self.code = code
    self.message = message
    self.context = context
  }

  /// An error with the message that most of its code have.
  init(_ kind: ObjectKind, _ text: String, _ code: SatchelError.Code, _ context: String) {
    let message =
      switch code {
      case .unqueryableProperty: "There is no such queryable property"
      case .unsupportedPredicate: "The property does not support the operator"
      default: "The property and the operator do not take the value"
      }
    self.init(kind, text, code, message, context)
  }
}

/// A text that does not follow the language, and its error.
struct WrongText {
  let text: String
  let column: Int
  let found: String
  let expected: String

  init(_ text: String, _ column: Int, found: String, expected: String) {
    self.text = text
    self.column = column
    self.found = found
    self.expected = expected
  }
}
