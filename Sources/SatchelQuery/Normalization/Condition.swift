package import SatchelModel
package import SatchelRecords
package import SatchelSearch

/// A predicate over objects of one kind, without negations. The planner chooses access paths for it, and the
/// evaluator uses it to decide which objects are results.
///
/// Lists are flat (no `all` directly in an `all`), have two or more elements, and contain neither constants nor
/// duplicates. In a list, the tests of one scalar property are merged into one; only patterns are kept apart, and in `all`
/// sets that divide lists of metadata.
package indirect enum Condition: Hashable, Sendable {
  /// True for every object.
  case always
  /// True for no object.
  case never
  /// True if all conditions are true.
  case all([Condition])
  /// True if at least one condition is true.
  case any([Condition])
  /// True if the test passes.
  case test(Test)
  /// True if two properties compare as they have to.
  case pair(PropertyPair)
  /// True if some element, or no element, of a relation meets several conditions.
  case elements(ElementConditions)
}

extension Condition {
  /// True for `always`; cheaper than a comparison.
  package var isAlways: Bool { if case .always = self { true } else { false } }
  /// True for `never`; cheaper than a comparison.
  package var isNever: Bool { if case .never = self { true } else { false } }

  /// Every test in the condition. Those of elements are given as tests of the object's own, whether some element's value is in the set:
  /// together they say less than the conditions of one element.
  package var tests: [Test] {
    switch self {
    case .always, .never, .pair: []
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.tests)
    case .test(let test): [test]
    case .elements(let group): group.tests
    }
  }

  /// Every comparison of two properties in the condition.
  package var pairs: [PropertyPair] {
    switch self {
    case .always, .never, .test, .elements: []
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.pairs)
    case .pair(let pair): [pair]
    }
  }

  /// Every property that the condition depends on.
  package var properties: [ObjectProperty] { tests.map(\.property) + pairs.flatMap(\.properties) }
}

/// A test whether a property's value is in a set of values.
package struct Test: Hashable, Sendable {
  /// The tested property.
  package let property: ObjectProperty
  /// The values that pass.
  package let values: ValueSet
  /// For a to-many property: true if *no* element's value may be in the set, false if *some* element's value must be
  /// in it. For participants, whole metadata, related users, and sets that divide lists of metadata (``ValueSet/dividesLists``): true for the
  /// complement. Always false for other scalars, whose sets are complemented instead.
  package let isNegated: Bool

  package init(_ property: ObjectProperty, _ values: ValueSet, isNegated: Bool = false) {
    self.property = property
    self.values = values
    self.isNegated = isNegated
  }
}

/// A set of values of a property.
package enum ValueSet: Hashable, Sendable {
  /// Numbers, dates (microseconds since 1970), Booleans (0 and 1), or raw values of recipient statuses. With
  /// `missing`, a missing value passes too; `missing` is false if a value cannot be missing.
  case integers(IntegerSet, missing: Bool)
  /// Text in NFC (``ValueType/text``), strings as they are (``ValueType/bytes``), or values of metadata (``ValueType/custom``). With `missing`, a missing value
  /// passes too; `missing` is false if a value cannot be missing.
  case text(TextSet, missing: Bool)
  /// Sets of participants.
  case participants(ParticipantTest)
  /// A whole metadata value, or a dictionary in it.
  case metadata(Metadata)
  /// User ids, and references to users, by their relations to another user.
  case related(RelatedUsers)
}

/// A set of strings, in the form in which they are compared: NFC for ``ValueType/text``, as they are for
/// ``ValueType/bytes``, the bytes of a `ValueKey` for ``ValueType/custom``.
package enum TextSet: Hashable, Sendable {
  /// Ranges of the UTF-8 bytes, or of keys.
  case ranges(ByteRanges)
  /// The strings that match the pattern, of metadata only texts; with `complement`, all others, a list by one of its texts.
  case pattern(TextMatcher, complement: Bool)
}

/// A test of a conversation's participants. User ids are distinct and sorted by their bytes.
package enum ParticipantTest: Hashable, Sendable {
  /// The participants are exactly these users. The store's user is already among them.
  case equals([Identity.ID])
  /// At least one of these users is a participant.
  case overlaps([Identity.ID])
  /// Each of these users is a participant.
  case containsAll([Identity.ID])
}

/// A sort key whose property has been found.
package struct ResolvedSort: Hashable, Sendable {
  package let property: ObjectProperty
  package let descending: Bool

  package init(_ property: ObjectProperty, descending: Bool = false) {
    self.property = property
    self.descending = descending
  }

  /// The same key from its other end.
  package var reversed: ResolvedSort { ResolvedSort(property, descending: !descending) }
}
