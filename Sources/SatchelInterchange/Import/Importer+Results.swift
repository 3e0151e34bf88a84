package import SatchelModel

extension Importer {
  /// What an import has done.
  package struct Summary: Sendable, Hashable {
    // How many objects were added.
    package var messages = 0
    package var conversations = 0
    package var identities = 0
    package var announcements = 0
    package var records = 0
    /// How many declarations of record types were carried out.
    package var recordTypes = 0
    /// How many indexes were declared, or were so already.
    package var indexes = 0
    // How many lines were carried out that change objects, and that delete some.
    package var updates = 0
    package var deletions = 0
    /// How many lines of objects that were there already were merged into these, or ignored.
    package var merged = 0
    package var ignored = 0
    /// How many lines were left out.
    package var rejected = 0
    /// How many keys were ignored because the format does not have them, and the first different ones.
    package var unknownKeys = 0
    package var firstUnknownKeys: [UnknownKey] = []

    package init(
      messages: Int = 0, conversations: Int = 0, identities: Int = 0, announcements: Int = 0,
      indexes: Int = 0, updates: Int = 0, deletions: Int = 0, merged: Int = 0, ignored: Int = 0,
      rejected: Int = 0,
      unknownKeys: Int = 0
    ) {
      self.messages = messages
      self.conversations = conversations
      self.identities = identities
      self.announcements = announcements
      self.indexes = indexes
      self.updates = updates
      self.deletions = deletions
      self.merged = merged
      self.ignored = ignored
      self.rejected = rejected
      self.unknownKeys = unknownKeys
    }
  }

  /// A key that the format does not have.
  package struct UnknownKey: Sendable, Hashable {
    package let name: String
    /// The number of the first line that has it, counted from 1.
    package let line: Int
  }

  /// How far an import has come in its input.
  package struct Progress: Sendable, Hashable {
    /// The number of the line that was taken last.
    package var lines = 0
    /// How many bytes of the input there are up to the end of that line.
    package var bytes = 0
    /// True once the input has ended: all lines are taken, and the last commit follows.
    package var isAtEnd = false
  }

  /// A line that ends the import, or a file that cannot be imported as a whole.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line's number, counted from 1; nil if the file as a whole is at fault.
    package let line: Int?
    package let reason: String
    /// `rejectedLine`, or `incompleteFile` for a file that is damaged or cut off.
    package let code: SatchelError.Code

    package init(line: Int?, reason: String, _ code: SatchelError.Code = .rejectedLine) {
      self.line = line
      self.reason = reason
      self.code = code
    }

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
  }
}

extension SatchelError.Code {
  /// Whether the error is in the content of one line, not in the state of the store or the machine.
  var isOfLine: Bool {
    switch self {
    case .invalidValue, .invalidKey, .invalidIdentifier, .identifierExists, .distinctConversationExists,
      .unknownConversation, .unknownMessage, .unknownIdentity, .indexDiffers, .valueExists,
      .unqueryableProperty, .unsupportedPredicate, .unsupportedSort, .unknownRecordType, .unknownRecord,
      .recordTypeDiffers:
      true
    default: false
    }
  }
}
