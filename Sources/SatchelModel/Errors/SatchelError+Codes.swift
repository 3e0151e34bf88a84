extension SatchelError.Code {
  // Questions that cannot be asked (Layer's 12000-12003).

  /// The property does not exist, or not for this kind of object.
  public static let unqueryableProperty = Self(rawValue: "unqueryableProperty")
  /// The property does not support the operator.
  public static let unsupportedPredicate = Self(rawValue: "unsupportedPredicate")
  /// The property cannot be sorted by.
  public static let unsupportedSort = Self(rawValue: "unsupportedSort")
  /// The value is not one that the operator or the property takes.
  public static let invalidValue = Self(rawValue: "invalidValue")
  /// A predicate's text does not follow the predicate language.
  public static let syntaxError = Self(rawValue: "syntaxError")
  /// The feature is reserved and not part of this version.
  public static let notAvailable = Self(rawValue: "notAvailable")

  // Writes that cannot be made.

  /// A metadata key path that cannot be one.
  public static let invalidKey = Self(rawValue: "invalidKey")
  /// An identifier that is empty or holds a NUL character.
  public static let invalidIdentifier = Self(rawValue: "invalidIdentifier")
  /// The identifier belongs to another object of the store already.
  public static let identifierExists = Self(rawValue: "identifierExists")
  /// A distinct conversation of the same participants exists.
  public static let distinctConversationExists = Self(rawValue: "distinctConversationExists")
  /// No conversation has that identifier.
  public static let unknownConversation = Self(rawValue: "unknownConversation")
  /// No message or announcement has that identifier.
  public static let unknownMessage = Self(rawValue: "unknownMessage")
  /// No identity has that user id.
  public static let unknownIdentity = Self(rawValue: "unknownIdentity")
  /// No consumer of the change log is registered under that name.
  public static let unknownConsumer = Self(rawValue: "unknownConsumer")

  // Aggregates.

  /// No aggregate of that name is declared.
  public static let unknownAggregate = Self(rawValue: "unknownAggregate")
  /// An aggregate of that name is declared, and counts something else.
  public static let aggregateExists = Self(rawValue: "aggregateExists")

  // The store and its file.

  /// There is no store at that path.
  public static let noSuchStore = Self(rawValue: "noSuchStore")
  /// What is at that path is not a Satchel store.
  public static let notAStore = Self(rawValue: "notAStore")
  /// The store belongs to another user.
  public static let wrongUser = Self(rawValue: "wrongUser")
  /// A newer version wrote the store.
  public static let newerFormat = Self(rawValue: "newerFormat")
  /// Bytes of the store are damaged.
  public static let corrupted = Self(rawValue: "corrupted")
  /// The store's map or its disk is full; the write was rolled back.
  public static let storeFull = Self(rawValue: "storeFull")
  /// The store or its directory may not be read or written.
  public static let permissionDenied = Self(rawValue: "permissionDenied")
  /// Under the name of a file of the store's is a link, a device, or a file of somebody else's; nothing was done to it.
  public static let foreignFile = Self(rawValue: "foreignFile")
  /// Everything is in its place, but the directory could not be synced: the loss of power may undo it.
  public static let notSynced = Self(rawValue: "notSynced")
  /// Another process was writing for longer than this one was to wait; the context's `process` is its number.
  public static let busy = Self(rawValue: "busy")
  /// As many reads as the store has room for, 1,022, are open in all processes together.
  public static let tooManyReaders = Self(rawValue: "tooManyReaders")
  /// The operating system reported an error.
  public static let io = Self(rawValue: "io")
  /// A commit failed in a way that leaves its outcome open: reopen and compare the sequence.
  public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
  /// A read or write inside another one: use the transaction at hand.
  public static let nestedTransaction = Self(rawValue: "nestedTransaction")
  /// The store, snapshot or transaction has been closed.
  public static let closed = Self(rawValue: "closed")
  /// The change log no longer reaches back to what a reader has read last.
  public static let logTrimmed = Self(rawValue: "logTrimmed")
  /// A streaming read outlived its lease.
  public static let snapshotExpired = Self(rawValue: "snapshotExpired")

  // Interchange.

  /// A line of an interchange file that cannot be taken.
  public static let rejectedLine = Self(rawValue: "rejectedLine")
  /// An interchange file that ends too early, or whose trailer does not match.
  public static let incompleteFile = Self(rawValue: "incompleteFile")
}
