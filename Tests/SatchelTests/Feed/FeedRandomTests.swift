import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Random commits, and what the feed says of them against the states of the store before and after each.
@Suite struct FeedRandomTests {
  @Test func theFeedSaysWhatEachCommitChanged() async throws {
    let scratch = try Scratch()
    // Keeps all of the log, which is longer than what is read at a time.
    _ = try await scratch.store.consumer(named: "keeps")
    try await scratch.store.declare(FeedWriter.list, FeedWriter.todo)
    var writer = FeedWriter(random: SeededGenerator(for: "theFeedSaysWhatEachCommitChanged"))
    var rounds = TestEnvironment.rounds(1200)
    while rounds > 0 {
      try await Self.compare(commits: min(rounds, 300), of: scratch.store, &writer)
      rounds -= 300
    }
    try expectSound(scratch.store)
  }

  /// Makes commits, and compares what the feed says of them with the states of the store between them.
  private static func compare(commits rounds: Int, of store: MessageStore, _ writer: inout FeedWriter)
    async throws
  {
    let start = try store.lastSequence()
    var states: [UInt64: FeedState] = [start: try store.feedState()]
    for round in 0..<rounds {
      if round % 40 == 39 {
        // What an import stages is in no list until its last commit.
        let before = try store.feedState()
        let first = try store.lastSequence()
        try writer.importLines(into: store)
        for commit in (first + 1)..<(try store.lastSequence()) { states[commit] = before }
      } else {
        try store.writing { tx in try writer.change(tx) }
      }
      states[try store.lastSequence()] = try store.feedState()
    }
    try store.writing { tx in try tx.put(Identity(userID: Identity.ID("\(start) ends here"))) }
    let last = try store.lastSequence()
    states[last] = try store.feedState()
    var expected = start
    for commit in try await SatchelScenes.commits(of: store, after: start) {
      // Commits that list nothing have changed nothing that can be seen.
      while expected + 1 < commit.sequence {
        expected += 1
        #expect(states[expected] == states[expected - 1], "commit \(expected)")
      }
      expected = commit.sequence
      let before = try #require(states[commit.sequence - 1])
      let after = try #require(states[commit.sequence])
      #expect(commit.isComplete, "\(commit)")
      compare(commit, before, after, writer.withdrawn)
    }
    #expect(expected == last)
  }

  private static func compare(
    _ commit: StoreCommit, _ before: FeedState, _ after: FeedState, _ withdrawn: Set<ChangedObject>
  ) {
    var changes: [ChangedObject: ObjectChange] = [:]
    for change in commit.changes {
      #expect(changes.updateValue(change, forKey: change.object) == nil, "\(change.object) twice")
    }
    for object in Set(before.keys).union(after.keys) {
      let change = changes.removeValue(forKey: object)
      let place = "commit \(commit.sequence), \(object)"
      switch (before[object], after[object]) {
      case (nil, _?): #expect(change?.action == .created && change?.properties.isEmpty == true, "\(place)")
      case (let old?, nil):
        #expect(change?.action == .deleted, "\(place)")
        expect(change, old, [:], withdrawn.contains(object), place)
      case (let old?, let new?): expect(change, old, new, withdrawn.contains(object), place)
      case (nil, nil): break
      }
    }
    #expect(changes.isEmpty, "commit \(commit.sequence) changes what nobody sees")
  }

  /// The properties of a change are the differences of two states.
  private static func expect(
    _ change: ObjectChange?, _ old: [String: ChangedValue], _ new: [String: ChangedValue],
    _ isWithdrawn: Bool, _ place: String
  ) {
    var named: [String: PropertyChange] = [:]
    // A dictionary without texts that came or went is no property.
    for property in change?.properties ?? []
    where !["isVisible", "metadata", "fields"].contains(property.property) {
      #expect(named.updateValue(property, forKey: property.property) == nil, "\(place) \(property) twice")
    }
    for property in Set(old.keys).union(new.keys) {
      let (before, after) = (old[property] ?? .missing, new[property] ?? .missing)
      let found = named.removeValue(forKey: property)
      if property == "conversation" {
        #expect(
          change == nil
            || .text(change?.conversation?.rawValue ?? "") == (before == .missing ? after : before))
      } else if property == "recipientStatus" {
        expectStatuses(found, before, after, place)
      } else if property == "parts" {
        expectParts(change, found, before, after, isWithdrawn, place)
      } else if before == after {
        #expect(found == nil, "\(place) \(property)")
      } else if let found {
        let isForgotten = isWithdrawn && property.hasPrefix("metadata.")
        #expect(found.before == before || isForgotten && found.before == .unknown, "\(place) \(found)")
        #expect(found.after == after || isForgotten && found.after == .unknown, "\(place) \(found)")
      } else {
        Issue.record("\(place) lacks \(property)")
      }
    }
    #expect(named.isEmpty, "\(place) \(named)")
  }

  /// Of an update the feed says the statuses that differ, of a deletion all.
  private static func expectStatuses(
    _ found: PropertyChange?, _ before: ChangedValue, _ after: ChangedValue, _ place: String
  ) {
    func statuses(_ value: ChangedValue?) -> [Identity.ID: RecipientStatus]? {
      switch value {
      case .statuses(let statuses): statuses
      case .missing, nil: [:]
      default: nil
      }
    }
    let (old, new) = (statuses(before) ?? [:], statuses(after) ?? [:])
    let differing = { (user: Identity.ID) in old[user] != new[user] }
    #expect(statuses(found?.before) == old.filter { differing($0.key) }, "\(place) \(old) \(new)")
    #expect(statuses(found?.after) == new.filter { differing($0.key) }, "\(place) \(old) \(new)")
  }

  /// Of edited parts the feed says which they are, and what they were. Parts that a write has changed and changed back may be
  /// among them.
  private static func expectParts(
    _ change: ObjectChange?, _ found: PropertyChange?, _ before: ChangedValue, _ after: ChangedValue,
    _ isWithdrawn: Bool, _ place: String
  ) {
    guard let change, change.action != .created, case .list(let old) = before else { return }
    let new = if case .list(let new) = after { new } else { [String]() }
    if change.action == .deleted {
      #expect(change.formerParts.map(\.index) == Array(old.indices), "\(place)")
    } else if old != new {
      #expect(found?.before == .unknown && found?.after == .unknown, "\(place)")
    }
    let former = change.formerParts
    for part in former {
      #expect(old.indices.contains(part.index), "\(place) \(part)")
      guard old.indices.contains(part.index) else { continue }
      #expect(
        part.beginning == (isWithdrawn ? nil : Array(old[part.index].utf8.prefix(256))), "\(place) \(part)")
    }
    for index in old.indices where index >= new.count || old[index] != new[index] {
      #expect(former.contains { $0.index == index }, "\(place) lacks part \(index)")
    }
  }
}
