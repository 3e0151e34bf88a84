internal import LMDB
internal import RecordStore
package import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
import SatchelText

extension Writer {
  /// Returns the header as it is stored.
  package func storedHeader() throws -> StoreHeader {
    guard let bytes = unsafe try transaction.get(tables.databases.objects, ObjectKey.header.bytes) else {
      throw RecordError("header", "", "it is missing")
    }
    return unsafe try StoreHeader(bytes)
  }

  /// Gives the store's user the first number of the dictionary of a new store, so that all code can rely on that user having a number.
  package func numberUser() throws { _ = try interner.intern(.users, flushed.user) }

  /// Raises the format in the header, unless it is as high. Programs that do not know the store's new indexes, or its
  /// journal, would not maintain them: from here on such programs are refused.
  /// - Parameter indexesMetadata: Whether a store of a format that could not have them gets the indexes of messages' metadata: from here
  ///   on they are built.
  package func raiseFormat(indexingMetadata indexesMetadata: Bool = false) throws {
    var header = try storedHeader()
    if indexesMetadata, header.versions.format < StoreHeader.OptionalIndexes.format {
      header.versions.optionalIndexes.insert(.messageMetadata)
      try beginBuildingIndexes()
    }
    header.versions.format = max(header.versions.format, StoreHeader.Versions.current.format)
    header.versions.minimumReader = max(
      header.versions.minimumReader, StoreHeader.Versions.current.minimumReader)
    header.versions.indexSet = StoreHeader.Versions.current.indexSet
    unsafe try ObjectKey.header.bytes.withUnsafeBytes { key in
      unsafe try withUnsafeTemporaryKey(header.encode()) { value in
        unsafe try transaction.put(tables.databases.objects, key, value)
      }
    }
  }
}

extension StoreHeader.Versions {
  /// The versions of a new store, and of an older one once it has been opened for writing.
  package static let current = StoreHeader.Versions(
    format: 16, minimumReader: 16, indexSet: IndexCatalog.latestSet,
    unicode: CaseFolding.packedUnicodeVersion)
}
