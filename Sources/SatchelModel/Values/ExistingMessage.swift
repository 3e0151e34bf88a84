/// What to do with a delivery of a message that is there already.
public enum ExistingMessage: Sendable, Hashable {
  /// Refuse it with `identifierExists`.
  case fail
  /// Leave the message as it is.
  case ignore
  /// Change the message by what the delivery says.
  case merge
}
