package import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The open file of a journal: bytes at offsets, and nothing of what they mean but the header.
package final class JournalFile: Sendable {
  /// One descriptor, or what a test puts in its place. Looking which of the two it is costs nothing beside the call.
  private enum Backing {
    case descriptor(DescriptorStorage)
    case other(any JournalStorage)
  }

  package let path: String
  private let backing: Backing
  /// What to close; nil if nothing was opened.
  private let descriptor: Int32?

  /// Opens the file of a journal.
  /// - Parameter interposer: What tests put between the journal and the file.
  /// - Throws: `file`, if it is missing, may not be opened, is no regular file with one name, or is somebody else's.
  package init(
    _ path: String, _ access: Access, through interposer: JournalInterposer? = nil
  ) throws(JournalError) {
    self.path = path
    let file = try access.open(path)
    descriptor = file
    let storage = DescriptorStorage(file: file, path: path)
    backing = interposer.map { .other($0(storage)) } ?? .descriptor(storage)
  }

  /// A journal that is kept elsewhere than in a file.
  package init(_ storage: any JournalStorage, path: String = "journal") {
    self.path = path
    descriptor = nil
    backing = .other(storage)
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Removes all that the journal holds, and keeps the file: somebody else may have it open.
  ///
  /// Call this only when the store has every commit, durably, and under the locks that keep others from appending. Those
  /// who read on find no record then.
  package func empty() throws(JournalError) {
    do {
      switch backing {
      case .descriptor(let storage): try storage.truncate()
      case .other(let storage): try storage.truncate()
      }
    } catch {
      throw failure(error, "empty")
    }
    try sync("empty")
  }

  /// Returns which file it is, whatever its name leads to by now.
  package func identity() throws(JournalError) -> FileIdentity {
    do {
      switch backing {
      case .descriptor(let storage): return try storage.identity()
      case .other(let storage): return try storage.identity()
      }
    } catch {
      throw failure(error, "look at")
    }
  }

  /// Returns how many bytes the file has.
  package func size(_ operation: String = "read") throws(JournalError) -> Int {
    do {
      switch backing {
      case .descriptor(let storage): return try storage.size()
      case .other(let storage): return try storage.size()
      }
    } catch {
      throw failure(error, operation)
    }
  }

  /// Returns `count` bytes from an offset on; fewer if the file ends before.
  func read(_ count: Int, at offset: Int) throws(JournalError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = try read(count, at: offset, into: &bytes)
    if filled < count { bytes.removeSubrange(filled...) }
    return bytes
  }

  /// Reads `count` bytes from an offset on into the first ones of an array, and returns how many there were: fewer if the file
  /// ends before.
  func read(_ count: Int, at offset: Int, into bytes: inout [UInt8]) throws(JournalError) -> Int {
    var filled = 0
    while filled < count {
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe readPart(
          UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<count]), at: offset + filled)
      }
      let part = try self.count(of: result, "read")
      if part <= 0 { break }
      filled += part
    }
    return filled
  }

  /// Returns all bytes of the file, with zeros for the sectors that the disk does not give, and how many bytes these are.
  package func readableContents() throws(JournalError) -> (bytes: [UInt8], unreadable: Int) {
    let size = try size()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    var unreadable = 0
    while bytes.count < size {
      // Many sectors at once, or one by one where that fails.
      if bytes.count.isMultiple(of: Self.chunk), let chunk = try? read(Self.chunk, at: bytes.count) {
        guard !chunk.isEmpty else { break }
        bytes += chunk
      } else if let sector = try? read(JournalFormat.sector, at: bytes.count) {
        guard !sector.isEmpty else { break }
        bytes += sector
      } else {
        let count = min(JournalFormat.sector, size - bytes.count)
        bytes += repeatElement(0, count: count)
        unreadable += count
      }
    }
    return (bytes, unreadable)
  }

  private static let chunk = 64 << 10

  /// Writes all bytes from an index on, with one call unless the system writes only a part.
  func write(
    _ bytes: [UInt8], from start: Int = 0, at offset: Int, _ operation: String
  ) throws(JournalError) {
    let bytes = unsafe bytes.span.bytes.extracting(start..<bytes.count)
    var written = 0
    while written < bytes.byteCount {
      let result = unsafe bytes.withUnsafeBytes { buffer in
        unsafe writePart(UnsafeRawBufferPointer(rebasing: buffer[written...]), at: offset + written)
      }
      let part = try self.count(of: result, operation)
      // A system that writes nothing and gives no reason has no room.
      guard part > 0 else { throw error(.system(ENOSPC), operation) }
      written += part
    }
  }

  /// Makes all that is in the file survive a power cut.
  package func sync(_ operation: String = "sync") throws(JournalError) {
    do {
      switch backing {
      case .descriptor(let storage): try storage.sync()
      case .other(let storage): try storage.sync()
      }
    } catch {
      throw failure(error, operation)
    }
  }

  /// Lets the system begin to write what a `sync` soon waits for.
  func beginSync(at offset: Int, count: Int) {
    if case .descriptor(let storage) = backing { storage.beginSync(at: offset, count: count) }
  }

  func syncName(_ operation: String) throws(JournalError) {
    do {
      switch backing {
      case .descriptor(let storage): try storage.syncName()
      case .other(let storage): try storage.syncName()
      }
    } catch {
      throw failure(error, operation)
    }
  }

  func error(_ code: JournalError.Code, _ operation: String, _ detail: String = "") -> JournalError {
    JournalError(code, operation: operation, path: path, detail: detail)
  }

  private func readPart(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) -> Result<Int, SystemFailure> {
    Result { () throws(SystemFailure) in
      switch backing {
      case .descriptor(let storage): try unsafe storage.read(buffer, at: offset)
      case .other(let storage): try unsafe storage.read(buffer, at: offset)
      }
    }
  }

  private func writePart(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Result<Int, SystemFailure> {
    Result { () throws(SystemFailure) in
      switch backing {
      case .descriptor(let storage): try unsafe storage.write(bytes, at: offset)
      case .other(let storage): try unsafe storage.write(bytes, at: offset)
      }
    }
  }

  private func count(
    of result: Result<Int, SystemFailure>, _ operation: String
  ) throws(JournalError) -> Int {
    switch result {
    case .success(let count): return count
    case .failure(let reason): throw failure(reason, operation)
    }
  }

  private func failure(_ failure: SystemFailure, _ operation: String) -> JournalError {
    error(.system(failure.number), operation)
  }
}
