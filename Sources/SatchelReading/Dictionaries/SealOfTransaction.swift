package import LMDB
package import RankedIndex
package import RecordStore
package import SatchelCoding

/// The seal that the transactions of one id see, with the directory of its trees decoded. Each commit gets a new
/// object, which all its readers share.
package final class SealOfTransaction: Sendable {
  package let transaction: UInt64
  package let seal: Seal
  package let directory: Directory

  /// Reads the seal that a transaction sees.
  /// - Parameter number: The number of the transaction of LMDB that has put it there.
  package init(_ number: UInt64, _ transaction: ReadTransaction, _ databases: Databases) throws {
    self.transaction = number
    seal = try Self.read(transaction, databases)
    directory = try Directory(seal.trees)
  }

  package static func read(_ transaction: ReadTransaction, _ databases: Databases) throws -> Seal {
    guard let bytes = unsafe try transaction.get(databases.objects, ObjectKey.seal.bytes) else {
      throw RecordError("seal", "", "it is missing")
    }
    do {
      return unsafe try Seal(bytes)
    } catch {
      throw RecordError("seal", "", error.description)
    }
  }
}
