package import SatchelModel

/// A predicate over objects of one kind without negations: what the planner chooses paths for and what the evaluator
/// decides membership by.
///
/// Lists are flat (no `all` directly in an `all`), have two elements or more, and hold neither constants nor
/// duplicates. Tests of one scalar property in a list are merged into one, unless a pattern keeps them apart.
package indirect enum Condition: Hashable, Sendable {
  /// True for every object.
  case always
  /// True for no object.
  case never
  /// True where each condition is.
  case all([Condition])
  /// True where any of the conditions is.
  case any([Condition])
  /// True where the test passes.
  case test(Test)
}

extension Condition {
  /// True for `always`; cheaper than a comparison.
  package var isAlways: Bool { if case .always = self { true } else { false } }
  /// True for `never`; cheaper than a comparison.
  package var isNever: Bool { if case .never = self { true } else { false } }
}

/// A set of values that a property's value is to be in.
package struct Test: Hashable, Sendable {
  /// What is tested.
  package let property: Property
  /// The values that pass.
  package let values: ValueSet
  /// For a to-many property: true when *no* element's value may be in the set, false when *some* element's must be.
  /// For participants and whole metadata: true for the complement. Always false for scalars, whose sets are
  /// complemented instead.
  package let isNegated: Bool

  package init(_ property: Property, _ values: ValueSet, isNegated: Bool = false) {
    self.property = property
    self.values = values
    self.isNegated = isNegated
  }
}

/// Values of a property.
package enum ValueSet: Hashable, Sendable {
  /// Numbers, dates (microseconds since 1970), Booleans (0 and 1), raw values of recipient statuses. With `missing` a
  /// missing value passes too; it is false where a value cannot be missing.
  case integers(IntegerSet, missing: Bool)
  /// Text in NFC (``ValueType/text``) or strings as they are (``ValueType/bytes``). With `missing` a missing value
  /// passes too; it is false where a value cannot be missing.
  case text(TextSet, missing: Bool)
  /// Sets of participants.
  case participants(ParticipantTest)
  /// One metadata value, as a whole.
  case metadata(Metadata)
}

/// A set of strings, in the form in which they are compared: NFC for ``ValueType/text``, as they are for
/// ``ValueType/bytes``.
package enum TextSet: Hashable, Sendable {
  /// Ranges of the UTF-8 bytes.
  case ranges(ByteRanges)
  /// The strings that match, or with `complement` those that do not.
  case pattern(TextPattern, complement: Bool)
}

/// A question about a conversation's participants. User ids are sorted by their bytes and distinct.
package enum ParticipantTest: Hashable, Sendable {
  /// The participants are exactly these; the store's user is among them already.
  case equals([Identity.ID])
  /// One of these is a participant.
  case overlaps([Identity.ID])
  /// Each of these is a participant.
  case containsAll([Identity.ID])
}

/// A sort key whose property is known.
package struct ResolvedSort: Hashable, Sendable {
  package let property: Property
  package let descending: Bool

  package init(_ property: Property, descending: Bool = false) {
    self.property = property
    self.descending = descending
  }
}
