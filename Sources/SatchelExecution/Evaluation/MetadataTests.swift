import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Tests of many texts of one object's metadata, of which all or at least one has to pass. One walk through the metadata decides
/// them all: what it costs follows from the number of texts that there are, not of those that are asked for.
struct MetadataTests {
  private struct Wanted {
    var sets: [TextSet] = []
    /// Whether the tests of this path decide the list if there is no text: in a disjunction because one of them then passes, in a
    /// conjunction because one of them then does not.
    var decidesIfMissing = false
  }

  private let isConjunction: Bool
  private var wanted: [[UInt8]: Wanted] = [:]
  /// The number of paths that decide the list if they have no text.
  private var decisive = 0

  /// - Parameter tests: Tests of texts at paths of metadata, all of the same object.
  init(_ tests: [Test], isConjunction: Bool) {
    self.isConjunction = isConjunction
    for test in tests {
      guard case .metadataValue(let keys) = test.property.field,
        case .text(let set, let missing) = test.values
      else { continue }
      var texts = wanted[Array(keys.joined(separator: ".").utf8), default: Wanted()]
      texts.sets.append(set)
      if missing != isConjunction { texts.decidesIfMissing = true }
      wanted[Array(keys.joined(separator: ".").utf8)] = texts
    }
    decisive = wanted.values.count(where: \.decidesIfMissing)
  }

  /// Whether the tests pass for an object with this metadata; nil for none. O(texts in it).
  func pass(_ metadata: MetadataView?, _ snapshot: Snapshot) -> Bool {
    snapshot.metrics.metadataSearches &+= 1
    var isDecided = false
    var met = 0
    unsafe metadata?.forEachText { path, text in
      guard !isDecided, let texts = wanted[path] else { return }
      if texts.decidesIfMissing { met += 1 }
      let value = unsafe PropertyValue(text).canonical
      for set in texts.sets where value.isIn(set) != isConjunction { isDecided = true }
    }
    return (isDecided || met < decisive) != isConjunction
  }
}

extension TestCompiler {
  /// The fewest tests of one object's metadata that are made by one walk: for fewer, looking each up costs less.
  private static let fewTests = 4

  /// Takes the tests out of a list that one walk through the metadata of one object can make together, and returns a test of each
  /// group, by which its cost is known, with the group's check.
  func takeMetadataTests(from list: inout [Condition], isConjunction: Bool) -> [(Condition, Check)] {
    guard list.count >= Self.fewTests else { return [] }
    var groups: [[ObjectRelation]: [Test]] = [:]
    for case .test(let test) in list where readsMetadata(test) {
      groups[test.property.relations, default: []].append(test)
    }
    groups = groups.filter { $0.value.count >= Self.fewTests }
    guard !groups.isEmpty else { return [] }
    list.removeAll { condition in
      guard case .test(let test) = condition else { return false }
      return readsMetadata(test) && groups[test.property.relations] != nil
    }
    return groups.values.map { tests in
      (
        .test(tests[0]),
        check(MetadataTests(tests, isConjunction: isConjunction), tests[0].property.relations[...])
      )
    }
  }

  /// Whether a test is of a text of the metadata of the row's object, or of an object that the row has by its reference.
  private func readsMetadata(_ test: Test) -> Bool {
    guard case .metadataValue = test.property.field, case .text = test.values else { return false }
    return switch (kind, test.property.relations) {
    case (.parts, [.message]), (.parts, [.message, .conversation]), (.messages, [.conversation]): true
    case (.messages, []), (.announcements, []), (.conversations, []), (.identities, []): true
    default: false
    }
  }

  private func check(_ tests: MetadataTests, _ relations: ArraySlice<ObjectRelation>) -> Check {
    let snapshot = snapshot
    switch (kind, relations.first) {
    case (.parts, .message):
      return TestCompiler(snapshot: snapshot, kind: .messages, index: nil).check(tests, relations.dropFirst())
    case (.messages, .conversation):
      let known = Memory()
      return { row in
        try known.value(of: row.reference.conversation) { number in
          tests.pass(try snapshot.conversation(number).metadata, snapshot)
        }
      }
    case (.announcements, _): return { row in tests.pass(try row.announcement(snapshot).metadata, snapshot) }
    case (.conversations, _): return { row in tests.pass(try row.conversation(snapshot).metadata, snapshot) }
    case (.identities, _): return { row in tests.pass(try row.identity(snapshot)?.metadata, snapshot) }
    case (.messages, _), (.parts, _):
      return { row in tests.pass(try row.message(snapshot).metadata, snapshot) }
    }
  }
}
