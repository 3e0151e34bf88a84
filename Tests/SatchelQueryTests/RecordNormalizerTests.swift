import SatchelModel
import SatchelQuery
import Testing

/// A test of a property, under a name that the testing library does not have too.
private typealias PropertyTest = SatchelQuery.Test

/// What queries for records come to: the keys of references, and the properties that paths lead to.
@Suite struct RecordNormalizerTests {
  private func test(_ text: String) throws -> PropertyTest {
    guard
      case .test(let test) = try Normalizer(kind: .records, user: "alice")
        .condition(for: QueryPredicate(format: text))
    else { throw SatchelError(.invalidValue, "Not a single test", ["text": text]) }
    return test
  }

  @Test func keysOfReferences() throws {
    let work = [ValueKey.Tag.reference] + Array("list\0work".utf8)
    let home = [ValueKey.Tag.reference] + Array("list\0home".utf8)
    let list = ByteRanges(point: [ValueKey.Tag.list])
    let point = ByteRanges(point: work)
    let reference = "REFERENCE('list', 'work')"
    for (text, ranges, missing) in [
      ("list = \(reference)", point, false),
      ("list == reference(\"list\", \"work\")", point, false),
      ("\(reference) IN list", point, false),
      ("NOT list != \(reference)", point, false),
      ("ANY list = \(reference)", point, false),
      ("list != \(reference)", point.complement, true),
      ("NOT list = \(reference)", point.complement, true),
      ("ALL list != \(reference)", point.complement, true),
      ("NONE list = \(reference)", point.complement, true),
      (
        "list IN {\(reference), REFERENCE('list', 'home'), \(reference)}", ByteRanges(points: [home, work]),
        false
      ),
      ("list NOT IN {REFERENCE('list', 'home')}", ByteRanges(point: home).complement, true),
      ("list = nil", .empty, true), ("list != nil", .all, false),
      // Of what is no list, every value but this one is another one; of a list, a text.
      ("ANY list != \(reference)", point.complement.intersection(list.complement), false),
      (
        "ANY list != 'x'",
        ByteRanges(point: [ValueKey.Tag.text, UInt8(ascii: "x")]).complement.intersection(list.complement),
        false
      ),
    ] {
      let test = try test(text)
      #expect(test.values == .text(.ranges(ranges), missing: missing), "\(text)")
      #expect(!test.isNegated, "\(text)")
      #expect(test.property == ObjectProperty([], .recordValue(MetadataPath(["list"]))), "\(text)")
    }
  }

  /// Metadata have no references: what an index is asked for ends before their keys.
  @Test func otherElementsOfMetadata() throws {
    let condition = try Normalizer(kind: .messages, user: "alice")
      .condition(for: QueryPredicate(format: "ANY metadata.a != 'x'"))
    guard case .test(let test) = condition, case .text(.ranges(let set), _) = test.values else {
      Issue.record("not a single test: \(condition)")
      return
    }
    #expect(!set.contains([ValueKey.Tag.list]) && !set.contains([ValueKey.Tag.reference, 1]))
    #expect(set.contains([ValueKey.Tag.date, 1]) && set.contains([ValueKey.Tag.text]))
  }

  /// The parts of a set that a text, a list and any other value are looked for in.
  @Test func partsOfSets() throws {
    func set(_ text: String) throws -> TextSet {
      guard case .text(let set, _) = try test(text).values else {
        throw SatchelError(.invalidValue, "Not a set of values", ["text": text])
      }
      return set
    }
    let key = [ValueKey.Tag.reference] + Array("list\0work".utf8)
    let equal = try set("list = REFERENCE('list', 'work')")
    #expect(equal.scalars.contains(key) && equal.texts == .ranges(.empty) && !equal.hasLists)
    let other = try set("list != REFERENCE('list', 'work')")
    #expect(!other.scalars.contains(key) && other.texts == .ranges(.all) && other.hasLists)
    #expect(other.scalars.contains([ValueKey.Tag.reference] + Array("list\0workshop".utf8)))
    let notText = try set("list != 5")
    #expect(notText.scalars.contains(key) && notText.hasLists)
    for pattern in ["list LIKE 'w_'", "list CONTAINS 'w'"] {
      #expect(try !set(pattern).scalars.contains(key))
      // The complement of a pattern is the negation of its test: the set stays the same.
      #expect(try test("NOT \(pattern)").isNegated)
    }
  }

  @Test func properties() throws {
    for (path, property) in [
      ("identifier", ObjectProperty([], .identifier)), ("owner", ObjectProperty([], .owner)),
      ("createdAt", ObjectProperty([], .createdAt)), ("createdBy", ObjectProperty([], .createdBy)),
      ("updatedAt", ObjectProperty([], .updatedAt)), ("updatedBy", ObjectProperty([], .updatedBy)),
      ("title", ObjectProperty([], .recordValue(MetadataPath(["title"])))),
      // Names of other kinds of objects are fields here.
      ("position", ObjectProperty([], .recordValue(MetadataPath(["position"])))),
      ("metadata.a", ObjectProperty([], .recordValue(MetadataPath(["metadata", "a"])))),
      ("place.'a.b'", ObjectProperty([], .recordValue(MetadataPath(["place", "a.b"])))),
      // A first name that is quoted, as a predicate spells it and without the mark.
      ("#'a.b'", ObjectProperty([], .recordValue(MetadataPath(["a.b"])))),
      ("'a.b'", ObjectProperty([], .recordValue(MetadataPath(["a.b"])))),
      ("#null.x", ObjectProperty([], .recordValue(MetadataPath(["null", "x"])))),
    ] {
      #expect(try ObjectProperty(path: [String](spelledPath: path), of: .records) == property, "\(path)")
      #expect(try ObjectProperty(path: property.path, of: .records) == property, "\(path)")
      #expect(try [String](spelledPath: SortKey(property.path).description) == property.path, "\(path)")
    }
  }

  @Test func wholeDictionaries() throws {
    let place = ObjectProperty([], .recordValue(MetadataPath(["place"])))
    let dictionary: Metadata = ["list": .reference(Reference(type: "list", name: "work"))]
    #expect(
      try test("place != {'list': REFERENCE('list', 'work')}")
        == PropertyTest(place, .metadata(dictionary), isNegated: true))
  }
}
