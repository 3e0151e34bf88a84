import Foundation
import Synchronization

/// What happens at Control-C and at a polite kill: the stores, which may be gigabytes, are removed before the program ends.
final class Interruption {
  /// Processes at work for this one: they write into what is to be removed.
  static let children = Mutex<Set<Int32>>([])

  private let sources: [any DispatchSourceSignal]

  /// Removes a folder when the program is interrupted, as long as this is kept.
  init(removing scratch: Scratch) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler {
        for child in Self.children.withLock({ $0 }) {
          kill(child, SIGKILL)
          waitpid(child, nil, 0)
        }
        scratch.remove()
        StandardError.write("\ninterrupted: nothing was written\n")
        // What is at work on other threads must not see the end of the program's own state.
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
