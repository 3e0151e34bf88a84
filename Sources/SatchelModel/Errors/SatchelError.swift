import SatchelText

/// An error of the library: a code to switch over, a fixed text, and the names and values of this case.
///
/// `description` is one line that says what was wrong, where, and what would be right.
public struct SatchelError: Error, Sendable, Hashable {
  /// The kind of an error. It is a structure, so that a later version can add kinds without breaking a `switch`.
  public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The code's name, as the command line prints it.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The code's name.
    public var description: String { rawValue }
  }

  /// The kind of error.
  public let code: Code
  /// What is wrong and what would be right: the same text for every error of its kind.
  public let message: String
  /// The names and values of this case, such as `property` or `path`.
  public let context: [String: String]

  /// Makes an error.
  package init(_ code: Code, _ message: StaticString, _ context: [String: String] = [:]) {
    self.code = code
    self.message = message.description
    self.context = context
  }

  /// Returns the same error with more names and values; what it has already stays.
  package func adding(_ details: [String: String]) -> SatchelError {
    SatchelError(code, message: message, context.merging(details) { own, _ in own })
  }

  /// Returns the same error with names and values that take the place of those that it has.
  package func replacing(_ details: [String: String]) -> SatchelError {
    SatchelError(code, message: message, context.merging(details) { $1 })
  }

  private init(_ code: Code, message: String, _ context: [String: String]) {
    self.code = code
    self.message = message
    self.context = context
  }

  /// Whether the same call may succeed a little later, without anything else being done: the store is as it was.
  package var isPassing: Bool { [.tooManyReaders, .busy, .io].contains(code) }
}

extension SatchelError: CustomStringConvertible {
  /// The message and, in parentheses, the context, sorted by name. Long values are shortened, and characters that are
  /// unsafe to display are escaped.
  public var description: String {
    guard !context.isEmpty else { return message }
    let details = context.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.oneLine($0.value))" }
    return message + " (" + details.joined(separator: ", ") + ")"
  }

  /// Returns the text as one line that is safe to display, shortened if it is too long.
  private static func oneLine(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: 300, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text.oneLine }
    return String(scalars[..<end]).oneLine + "…"
  }
}
