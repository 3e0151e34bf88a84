import SatchelModel

extension SatchelError.Code {
  /// The number of the code in an `NSError`; 0 for a code that has none.
  package var number: Int { Self.numbers[self] ?? 0 }

  /// The numbers of all codes. A number never changes its meaning: a new code takes the next one of its group.
  private static let numbers: [Self: Int] = [
    // Queries that cannot be answered.
    .unqueryableProperty: 101,
    .unsupportedPredicate: 102,
    .unsupportedSort: 103,
    .invalidValue: 104,
    .syntaxError: 105,
    .notAvailable: 106,
    // Writes that cannot be made.
    .invalidKey: 201,
    .invalidIdentifier: 202,
    .identifierExists: 203,
    .distinctConversationExists: 204,
    .unknownConversation: 205,
    .unknownMessage: 206,
    .unknownIdentity: 207,
    .unknownConsumer: 208,
    // Aggregates.
    .unknownAggregate: 301,
    .aggregateExists: 302,
    .unknownIndex: 303,
    .indexDiffers: 304,
    .valueExists: 305,
    // Records.
    .unknownRecord: 351,
    .unknownRecordType: 352,
    .recordTypeDiffers: 353,
    .referenced: 354,
    // The store and its file.
    .noSuchStore: 401,
    .notAStore: 402,
    .wrongUser: 403,
    .newerFormat: 404,
    .corrupted: 405,
    .storeFull: 406,
    .permissionDenied: 407,
    .foreignFile: 408,
    .journalMissing: 409,
    .foreignJournal: 410,
    .notSynced: 411,
    .busy: 412,
    .tooManyReaders: 413,
    .io: 414,
    .outcomeUnknown: 415,
    .nestedTransaction: 416,
    .closed: 417,
    .logTrimmed: 418,
    .snapshotExpired: 419,
    .storeReplaced: 420,
    .suspended: 421,
    // Interchange.
    .rejectedLine: 501,
    .incompleteFile: 502,
  ]
}
