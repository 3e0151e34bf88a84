import BenchmarkKit
import Engines
import Satchel

/// A read that is measured with more and more commits in the journal.
private struct TailRead {
  let name: String
  let about: String
  /// Does it for the number of a run, and gives how many items it handled.
  let body: (MessageStore, Int) throws -> Int

  static func all(_ keys: Keys) -> [TailRead] {
    func conversation(_ run: Int) -> Conversation.ID {
      Conversation.ID(keys.messages[run % keys.messages.count].conversation.identifier)
    }
    return [
      TailRead(name: "tail/latest-20", about: "The latest 20 messages of a conversation") { store, run in
        let id = conversation(run)
        _ = try store.fetch(
          Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20))
        return 1
      },
      TailRead(name: "tail/count", about: "How many messages of a conversation are unread") { store, run in
        let id = conversation(run)
        _ = try store.count(Message.filter { $0.conversation == id && $0.isUnread })
        return 1
      },
      TailRead(
        name: "tail/offset", about: "The identifiers of 20 rows somewhere in the list of all messages by time"
      ) { store, run in
        let offset = keys.offsets[run % keys.offsets.count]
        _ = try store.identifiers(Message.order { $0.sentAt }.offset(offset).limit(20))
        return 1
      },
      // A tail makes conversations longer: what counts is the time of one of them.
      TailRead(
        name: "tail/identifiers",
        about: "An identifier, in the mean over those of all messages of a conversation, by position"
      ) { store, run in
        let id = conversation(run)
        return try store.identifiers(Message.filter { $0.conversation == id }.order { $0.position }).count
      },
    ]
  }
}

/// Reads of copies of the store with tails of different lengths, by turns.
func tailReads(_ data: LoadedDataset, _ tails: [TailStore]) throws -> [Figure] {
  let rounds = (data.n ?? .max) < 10_000 ? 3 : 15
  var figures: [Figure] = []
  for read in TailRead.all(data.keys) {
    var times: [[Double]] = tails.map { _ in [] }
    for round in 0...rounds {
      for turn in tails.indices {
        let place = (round + turn) % tails.count
        let store = tails[place].store
        let start = SuspendingClock.now
        var (run, items, nanoseconds) = (round * 1_000, 0, 0.0)
        repeat {
          items += try read.body(store, run)
          run += 1
          nanoseconds = (SuspendingClock.now - start) / .nanoseconds(1)
        } while nanoseconds < 20e6
        // The first one warms up.
        if round > 0 { times[place].append(nanoseconds / Double(items)) }
      }
    }
    let medians = times.map { Statistics($0)?.median ?? 0 }
    for (tail, median) in zip(tails, medians) {
      let about =
        tail.commits == 0
        ? "after a checkpoint: no commit is only in the journal"
        : "while \(Quantity.count(tail.commits)) commits of a message are only in the journal: "
          + "\(Quantity.times(median / medians[0])) the time with none"
      figures.append(
        Figure(
          TailNames.read(read.name, tail.commits), about: "\(read.about), \(about)", n: data.n,
          engine: .satchel, value: median / 1000, unit: .microseconds))
    }
  }
  return figures
}

/// How the figures of tails are named.
enum TailNames {
  /// The name of a read with so many commits in the tail: `tail/count` with none, `tail/count-1000`, `tail/count-full`.
  static func read(_ name: String, _ commits: Int) -> String {
    switch commits {
    case 0: name
    case 1_000: "\(name)-1000"
    default: "\(name)-full"
    }
  }
}
