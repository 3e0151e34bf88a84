import SatchelCoding

/// How far a dump has got. It outlives the snapshots from which the dump is made, one after another.
package final class DumpProgress {
  /// The key of a record, after which a later snapshot can go on.
  enum ResumeKey {
    case message(MessageKey)
    case body(BodyKey)
    case object(ObjectKey)
  }

  /// How many records were shown.
  package private(set) var shown = 0
  /// The key of the record shown last, as it was shown.
  package private(set) var key: String?
  private var resumeKey: ResumeKey?
  /// Whether a later snapshot can go on after that record.
  package var canResume: Bool { resumeKey != nil }

  package init() {}

  func note(_ key: String, _ resumeKey: ResumeKey?) {
    shown += 1
    self.key = key
    self.resumeKey = resumeKey
  }

  var message: MessageKey? { if case .message(let key)? = resumeKey { key } else { nil } }
  var body: BodyKey? { if case .body(let key)? = resumeKey { key } else { nil } }
  var object: ObjectKey? { if case .object(let key)? = resumeKey { key } else { nil } }
}
