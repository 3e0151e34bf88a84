/// What the system reads when a page is not in memory: that page alone, or its neighbours too.
///
/// The page alone is the rule (MDB_NORDAHEAD): a query reads pages all over the file, and Linux would read
/// `read_ahead_kb` of neighbours for each of them for nothing. But a transaction that has read much is likely to read
/// on, and then each single page would be a wait. So from some number of values on the neighbours are read too, until
/// the last such transaction has ended.
///
/// It is safe to hold: the address is only given to the system as a hint.
@safe struct ReadAhead {
  /// The number of values after which the neighbours of a transaction's pages are read too.
  static let values = 256

  /// Transactions, and other uses of the map, that have called `beginReadAhead` and are still in progress.
  var scans = 0
  /// The map, while neighbours are read; otherwise nil.
  var map: UnsafeMutableRawBufferPointer?
}
