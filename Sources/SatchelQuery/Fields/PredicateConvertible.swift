/// A type that can be used as a predicate: a predicate, or a Boolean property, which means "is true".
public protocol PredicateConvertible {
  /// The predicate.
  var predicate: QueryPredicate { get }
}

extension QueryPredicate: PredicateConvertible {
  /// The predicate itself.
  public var predicate: QueryPredicate { self }
}

/// Returns a predicate that is true if both operands are true.
public func && <Left: PredicateConvertible, Right: PredicateConvertible>(left: Left, right: Right)
  -> QueryPredicate
{
  let left = left.predicate
  // A chain of clauses becomes one list, as it does in the parser.
  if case .and(let clauses) = left.form { return .and(clauses + [right.predicate]) }
  return .and([left, right.predicate])
}

/// Returns a predicate that is true if at least one operand is true.
public func || <Left: PredicateConvertible, Right: PredicateConvertible>(left: Left, right: Right)
  -> QueryPredicate
{
  let left = left.predicate
  if case .or(let clauses) = left.form { return .or(clauses + [right.predicate]) }
  return .or([left, right.predicate])
}

/// Returns a predicate that is true if the operand is false.
public prefix func ! <Operand: PredicateConvertible>(operand: Operand) -> QueryPredicate {
  .not(operand.predicate)
}

/// A type that results can be sorted by: a sortable property, ascending, or a ``SortKey``.
public protocol SortKeyConvertible: IndexColumnConvertible {
  /// The sort key.
  var sortKey: SortKey { get }
}

extension SortKey: SortKeyConvertible {
  /// The key itself.
  public var sortKey: SortKey { self }
}
