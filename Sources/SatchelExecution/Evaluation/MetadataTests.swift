import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Tests of many values of one object's metadata, of which all or at least one has to pass. One walk through the metadata decides
/// them all: what it costs follows from the number of texts that there are, not of those that are asked for.
struct MetadataTests {
  private struct Wanted {
    var sets: [(set: CustomSet, isNegated: Bool)] = []
    /// Whether the tests of this path decide the list if there is no value: in a disjunction because one of them then passes, in a
    /// conjunction because one of them then does not.
    var decidesIfMissing = false
  }

  private let isConjunction: Bool
  private var wanted: [[UInt8]: Wanted] = [:]
  /// The number of paths that decide the list if they have no value.
  private var decisive = 0

  /// - Parameter tests: Tests of values at paths of metadata, all of the same object.
  init(_ tests: [Test], isConjunction: Bool) {
    self.isConjunction = isConjunction
    for test in tests {
      guard let keyPath = test.property.field.keyPath,
        case .text(let set, let missing) = test.values
      else { continue }
      let path = keyPath.storedBytes
      var tests = wanted[path, default: Wanted()]
      tests.sets.append((CustomSet(set), test.isNegated))
      if (missing != test.isNegated) != isConjunction { tests.decidesIfMissing = true }
      wanted[path] = tests
    }
    decisive = wanted.values.count(where: \.decidesIfMissing)
  }

  /// Whether the tests pass for an object with this metadata; nil for none. O(values in it).
  func pass(_ metadata: MetadataView?, _ snapshot: Snapshot) -> Bool {
    snapshot.metrics.metadataSearches &+= 1
    var isDecided = false
    var met = 0
    metadata?.forEachValue { path, found in
      guard !isDecided, let tests = wanted[path] else { return }
      if tests.decidesIfMissing { met += 1 }
      let value = PropertyValue(found).canonical
      for (set, isNegated) in tests.sets where (set.contains(value) == true) != (isNegated != isConjunction) {
        isDecided = true
      }
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

  /// Whether a test is of a value of the metadata of the row's object, or of an object that the row has by its reference.
  private func readsMetadata(_ test: Test) -> Bool {
    guard test.property.field.keyPath != nil, case .text = test.values else { return false }
    return switch (kind, test.property.relations) {
    case (.parts, [.message]), (.parts, [.message, .conversation]), (.messages, [.conversation]): true
    case (.messages, []), (.announcements, []), (.conversations, []), (.identities, []),
      (.records, []):
      true
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
    case (.records, _): return { row in tests.pass(try row.record(snapshot).fields, snapshot) }
    case (.messages, _), (.parts, _):
      return { row in tests.pass(try row.message(snapshot).metadata, snapshot) }
    }
  }
}
