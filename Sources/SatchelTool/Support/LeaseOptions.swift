import ArgumentParser
import SatchelInterchange
import SatchelStorage

/// How long a command holds its snapshot for a reader of its output that does not read.
struct LeaseOptions: ParsableArguments {
  @Option(
    name: .customLong("lease"), parsing: .unconditional,
    help: """
      Seconds for which the snapshot is held for a reader of the output that does not read: the store grows \
      meanwhile. Each 16 KiB that it takes give a second more, and 8 MiB are kept for it without a snapshot.
      """)
  var seconds = 60.0

  @Option(
    name: .customLong("lease-growth"), parsing: .unconditional,
    help: "Megabytes by which the store may grow while the reader of the output takes nothing.")
  var megabytes = 64

  func validate() throws {
    guard seconds >= 0, seconds <= 1e9 else {
      throw ValidationError("--lease takes seconds from 0 on, not \(seconds)")
    }
    guard megabytes >= 0, megabytes <= 1 << 30 else {
      throw ValidationError("--lease-growth takes megabytes from 0 on, not \(megabytes)")
    }
  }

  var limits: ReaderLease.Limits { ReaderLease.Limits(seconds: seconds, growth: megabytes << 20) }
}
