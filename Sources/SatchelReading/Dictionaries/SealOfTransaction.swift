package import RankedIndex
package import SatchelCoding

/// The seal that the transactions of one id see, with the directory of its trees decoded. Each commit gets a new
/// object, which all its readers share.
package final class SealOfTransaction: Sendable {
  package let transaction: UInt64
  package let seal: Seal
  package let directory: Directory

  package init(transaction: UInt64, seal: Seal, directory: Directory) {
    self.transaction = transaction
    self.seal = seal
    self.directory = directory
  }
}
