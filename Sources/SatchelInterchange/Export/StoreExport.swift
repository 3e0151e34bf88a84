package import SatchelLines
internal import SatchelReading
package import SatchelStorage

/// An export of one snapshot of a store, as programs and the command line make it: how much of the store, and for how
/// long a reader may hold the snapshot.
package struct StoreExport: Sendable {
  /// The last commit whose changes are left out; nil to export everything.
  package var since: UInt64?
  package var lease = ReaderLease.Limits()
  /// See `Exporter`.
  package var escapes = false

  package init() {}

  /// What an export has written.
  package struct Summary: Sendable, Hashable {
    /// The commit of the snapshot.
    package var sequence: UInt64
    /// How many lines of each kind stand between the header and the trailer.
    package var counts: [InterchangeKind: Int64]
    package var overlongLines: Int64
    package var bytes: Int

    /// How many lines stand between the header and the trailer.
    package var lines: Int64 { counts.values.reduce(0, +) }
  }

  /// Writes to an open file, beginning at its current offset. What the file has not taken when everything is encoded
  /// is written after the snapshot has ended.
  /// - Throws: What the exporters throw; `FileDescriptorError`; what `progress` throws.
  package func write(
    _ store: Store, to descriptor: Int32, progress: (ExportReporter.Step) throws -> Void = { _ in }
  ) throws -> Summary {
    let output = WriteBehind(descriptor)
    defer { output.end() }
    let summary = try withoutActuallyEscaping(progress) { progress in
      try store.read { snapshot in
        try write(snapshot, to: HashingOutput(output, snapshot, lease: lease), progress)
      }
    }
    try output.drain()
    return summary
  }

  /// Hands the bytes piece by piece to a closure, on this thread.
  /// - Throws: What the exporters, `body` and `progress` throw.
  package func write(
    _ store: Store, to body: (_ bytes: [UInt8]) throws -> Void,
    progress: (ExportReporter.Step) throws -> Void = { _ in }
  ) throws -> Summary {
    try withoutActuallyEscaping(body) { body in
      try withoutActuallyEscaping(progress) { progress in
        try store.read { snapshot in
          try write(snapshot, to: HashingOutput(body, snapshot, lease: lease), progress)
        }
      }
    }
  }

  private func write(
    _ snapshot: Snapshot, to output: consuming HashingOutput, _ progress: @escaping ExportReporter.Report
  ) throws -> Summary {
    guard let since else {
      var exporter = Exporter(snapshot, to: output, escapes: escapes, onProgress: progress)
      let summary = try exporter.run()
      return Summary(
        sequence: snapshot.seal.commit,
        counts: [
          .identity: summary.identities, .conversation: summary.conversations, .message: summary.messages,
          .announcement: summary.announcements, .declaredIndex: summary.indexes,
          .recordType: summary.recordTypes, .record: summary.records,
        ], overlongLines: summary.overlongLines, bytes: summary.bytes)
    }
    var exporter = ChangeExporter(snapshot, since: since, to: output, escapes: escapes, onProgress: progress)
    let summary = try exporter.run()
    return Summary(
      sequence: summary.sequence, counts: summary.counts, overlongLines: summary.overlongLines,
      bytes: summary.bytes)
  }
}
