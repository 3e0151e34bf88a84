import SatchelCoding

/// How far a dump has got. It outlives the snapshots from which the dump is made, one after another.
final class DumpProgress {
  /// The key of a record, after which a later snapshot can go on.
  enum Place {
    case message(MessageKey)
    case body(BodyKey)
    case object(ObjectKey)
  }

  /// How many records were shown.
  private(set) var shown = 0
  /// The key of the record shown last, as it was shown.
  private(set) var key: String?
  private(set) var place: Place?

  func note(_ key: String, _ place: Place?) {
    shown += 1
    self.key = key
    self.place = place
  }

  var message: MessageKey? { if case .message(let key)? = place { key } else { nil } }
  var body: BodyKey? { if case .body(let key)? = place { key } else { nil } }
  var object: ObjectKey? { if case .object(let key)? = place { key } else { nil } }
}
