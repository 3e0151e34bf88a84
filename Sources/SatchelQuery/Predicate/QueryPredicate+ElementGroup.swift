import SatchelModel

extension QueryPredicate {
  /// Conditions that one and the same element of a relation has to meet: `ANY parts (mimeType = 'image/png' AND size > 100000)`.
  public struct ElementGroup: Sendable {
    /// Which elements have to meet the predicate.
    public let quantifier: Quantifier
    /// The names of the key path from the queried object to the elements.
    public let relation: [String]
    /// The predicate of an element, whose paths begin at the element.
    public let predicate: QueryPredicate

    init(_ quantifier: Quantifier, _ relation: [String], _ predicate: QueryPredicate) {
      self.quantifier = quantifier
      // As in comparisons: the form that the parser makes of the text.
      self.relation = relation.isEmpty ? [""] : relation
      self.predicate = predicate
    }
  }
}

extension QueryPredicate.ElementGroup: Hashable {
  /// Whether both ask the same of the same elements.
  public static func == (left: Self, right: Self) -> Bool {
    left.quantifier == right.quantifier && ExactText.areEqual(left.relation, right.relation)
      && left.predicate == right.predicate
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(quantifier)
    ExactText.hash(relation, into: &hasher)
    hasher.combine(predicate)
  }
}
