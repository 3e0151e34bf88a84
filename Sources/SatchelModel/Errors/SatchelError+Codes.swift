extension SatchelError.Code {
  // Queries that cannot be answered (12000 to 12003 in Layer).

  /// The property does not exist, or not for this kind of object.
  public static let unqueryableProperty = Self(rawValue: "unqueryableProperty")
  /// The property does not support the operator.
  public static let unsupportedPredicate = Self(rawValue: "unsupportedPredicate")
  /// The property cannot be sorted by.
  public static let unsupportedSort = Self(rawValue: "unsupportedSort")
  /// The operator, the property or the parameter does not accept the value.
  public static let invalidValue = Self(rawValue: "invalidValue")
  /// A predicate's text does not follow the predicate language.
  public static let syntaxError = Self(rawValue: "syntaxError")
  /// The feature is reserved and not part of this version.
  public static let notAvailable = Self(rawValue: "notAvailable")

  // Writes that cannot be made.

  /// A metadata key or key path is not valid.
  public static let invalidKey = Self(rawValue: "invalidKey")
  /// An identifier is empty, has a NUL character, or has the hash that 32 other identifiers have.
  public static let invalidIdentifier = Self(rawValue: "invalidIdentifier")
  /// Another object of the store already has the identifier.
  public static let identifierExists = Self(rawValue: "identifierExists")
  /// A distinct conversation of the same participants exists.
  public static let distinctConversationExists = Self(rawValue: "distinctConversationExists")
  /// No conversation has the identifier.
  public static let unknownConversation = Self(rawValue: "unknownConversation")
  /// No message or announcement has the identifier.
  public static let unknownMessage = Self(rawValue: "unknownMessage")
  /// No identity has the user id.
  public static let unknownIdentity = Self(rawValue: "unknownIdentity")
  /// No consumer of the change log is registered under the name.
  public static let unknownConsumer = Self(rawValue: "unknownConsumer")

  // Aggregates.

  /// No aggregate with the name is declared.
  public static let unknownAggregate = Self(rawValue: "unknownAggregate")
  /// A different aggregate with the name is declared.
  public static let aggregateExists = Self(rawValue: "aggregateExists")

  // Declared indexes.

  /// No index with the name is declared.
  public static let unknownIndex = Self(rawValue: "unknownIndex")
  /// A different index with the name is declared.
  public static let indexDiffers = Self(rawValue: "indexDiffers")
  /// Two objects have the same values in the columns of a unique index: the write has changed nothing, or the index is not built.
  public static let valueExists = Self(rawValue: "valueExists")

  // Records.

  /// No record has the type and the name.
  public static let unknownRecord = Self(rawValue: "unknownRecord")
  /// No record type with the name is declared.
  public static let unknownRecordType = Self(rawValue: "unknownRecordType")
  /// The record type is declared with another type of a field, or has records with values of another type in it.
  public static let recordTypeDiffers = Self(rawValue: "recordTypeDiffers")
  /// A record refers to an object that the write deletes, and the field's action is to restrict that: the write has changed nothing.
  public static let referenced = Self(rawValue: "referenced")

  // The store and its file.

  /// There is no store at the path.
  public static let noSuchStore = Self(rawValue: "noSuchStore")
  /// What is at the path is not a Satchel store.
  public static let notAStore = Self(rawValue: "notAStore")
  /// The store belongs to another user.
  public static let wrongUser = Self(rawValue: "wrongUser")
  /// A newer version wrote the store.
  public static let newerFormat = Self(rawValue: "newerFormat")
  /// The store is damaged.
  public static let corrupted = Self(rawValue: "corrupted")
  /// The store has reached its greatest size, or its disk is full; the write was rolled back.
  public static let storeFull = Self(rawValue: "storeFull")
  /// The store or its directory may not be read or written.
  public static let permissionDenied = Self(rawValue: "permissionDenied")
  /// A file of the store has been replaced by a link, a device, or a file of another user; nothing was done to it.
  public static let foreignFile = Self(rawValue: "foreignFile")
  /// The store's last commits are in its journal, which is not beside it.
  public static let journalMissing = Self(rawValue: "journalMissing")
  /// The journal beside the store's file is that of another store, or of another state of this one; nothing was done to it.
  public static let foreignJournal = Self(rawValue: "foreignJournal")
  /// The open store's directory, `data.mdb` or `lock.mdb` was removed, renamed or replaced: what is open is no longer what others
  /// open. A write with this error may or may not have taken effect.
  public static let storeReplaced = Self(rawValue: "storeReplaced")
  /// The result is complete, but its directory could not be synced: a loss of power may undo it.
  public static let notSynced = Self(rawValue: "notSynced")
  /// Another process was writing for longer than the write was allowed to wait; `process` in the context is its number. Of
  /// `suspend`: a read, a write or an import still has files open.
  public static let busy = Self(rawValue: "busy")
  /// No more reads can begin: 1,022 reads are open in all processes together, which is the store's limit.
  public static let tooManyReaders = Self(rawValue: "tooManyReaders")
  /// The operating system reported an error.
  public static let io = Self(rawValue: "io")
  /// A commit failed and may or may not have taken effect: open the store again and compare the sequence.
  public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
  /// A read or write was begun inside another one: use that snapshot or transaction instead.
  public static let nestedTransaction = Self(rawValue: "nestedTransaction")
  /// The store has been closed, or the snapshot or transaction has ended.
  public static let closed = Self(rawValue: "closed")
  /// The store is suspended, and holds no files: `resume()` opens them again. The read or write has done nothing.
  public static let suspended = Self(rawValue: "suspended")
  /// The change log no longer goes back to the last commit that the reader has read.
  public static let logTrimmed = Self(rawValue: "logTrimmed")
  /// A read outlived its lease, or has read more than that allows.
  public static let snapshotExpired = Self(rawValue: "snapshotExpired")

  // Interchange.

  /// A line of an interchange file cannot be accepted.
  public static let rejectedLine = Self(rawValue: "rejectedLine")
  /// An interchange file ends too early, or its trailer does not match.
  public static let incompleteFile = Self(rawValue: "incompleteFile")
}
