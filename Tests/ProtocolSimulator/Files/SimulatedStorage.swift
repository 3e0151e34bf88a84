internal import Journal
internal import StoreFiles

/// The journal's file, as a process has it open: each call is a step, and may fail.
final class SimulatedStorage: JournalStorage, @unchecked Sendable {
  private let directory: SimulatedDirectory
  private let file: SimulatedFile
  /// How many failed syncs it was told of. The system tells each descriptor that was open, once.
  private var told: Int

  init(_ directory: SimulatedDirectory, _ file: SimulatedFile) {
    self.directory = directory
    self.file = file
    told = file.failures
  }

  private var machine: Machine { directory.machine }

  func size() throws(SystemFailure) -> Int {
    try step(1)
    return file.bytes.count
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
    try step(2)
    if let failure = machine.failure(.read) { throw SystemFailure(failure.number) }
    let count = max(0, min(buffer.count, file.bytes.count - offset))
    if count > 0 {
      file.bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + count])) }
    }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
    try step(3)
    if let failure = machine.failure(.write) {
      let count = bytes.count * failure.share / 100
      file.write(.init(rebasing: bytes[..<count]), at: offset)
      // A write that ends early gives no reason, and the next one does.
      guard count == 0 || failure.share == 100 else { return count }
      throw SystemFailure(failure.number)
    }
    // A process may end in the midst of a write.
    if bytes.count > JournalFormat.sector, machine.random.oneIn(8) {
      let count = machine.random.below(bytes.count / JournalFormat.sector) * JournalFormat.sector
      if count > 0 {
        file.write(.init(rebasing: bytes[..<count]), at: offset)
        try step(4)
        file.write(.init(rebasing: bytes[count...]), at: offset + count)
        return wrote(bytes)
      }
    }
    file.write(bytes, at: offset)
    return wrote(bytes)
  }

  private func wrote(_ bytes: UnsafeRawBufferPointer) -> Int {
    directory.controlled(.acknowledgedEarly) { directory.onRecordWritten?() }
    return bytes.count
  }

  func sync() throws(SystemFailure) {
    try step(5)
    if let failure = machine.failure(.sync) {
      file.failSync(&machine.random)
      told = file.failures
      throw SystemFailure(failure.number)
    }
    if directory.control != .noSync { file.sync() }
    guard told == file.failures else {
      told = file.failures
      throw SystemFailure(5)
    }
    try step(6)
  }

  func syncName() throws(SystemFailure) {
    try step(7)
    if let failure = machine.failure(.name) { throw SystemFailure(failure.number) }
    directory.syncNames()
  }

  func truncate() throws(SystemFailure) {
    try step(8)
    if let failure = machine.failure(.truncate) { throw SystemFailure(failure.number) }
    file.truncate()
  }

  func identity() throws(SystemFailure) -> FileIdentity { file.identity }

  private func step(_ kind: UInt64) throws(SystemFailure) {
    guard machine.pause(kind) else { throw SimulatedDirectory.gone }
  }
}
