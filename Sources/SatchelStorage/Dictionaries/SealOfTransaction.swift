internal import RankedIndex
internal import SatchelCoding

/// The seal that the transactions of one id see, with the directory of its trees decoded. Each commit gets a new
/// object, which all its readers share.
final class SealOfTransaction: Sendable {
  let transaction: UInt64
  let seal: Seal
  let directory: Directory

  init(transaction: UInt64, seal: Seal, directory: Directory) {
    self.transaction = transaction
    self.seal = seal
    self.directory = directory
  }
}
