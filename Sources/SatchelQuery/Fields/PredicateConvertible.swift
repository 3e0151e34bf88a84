/// What can stand where a predicate is asked for: a predicate, or a Boolean property, which stands for "is true".
public protocol PredicateConvertible {
  /// The predicate.
  var predicate: Predicate { get }
}

extension Predicate: PredicateConvertible {
  public var predicate: Predicate { self }
}

/// True where both are.
public func && <Left: PredicateConvertible, Right: PredicateConvertible>(left: Left, right: Right)
  -> Predicate
{
  let left = left.predicate
  // A chain of clauses is one list, as it is when it is read from text.
  if case .and(let clauses) = left.form { return .and(clauses + [right.predicate]) }
  return .and([left, right.predicate])
}

/// True where one or both are.
public func || <Left: PredicateConvertible, Right: PredicateConvertible>(left: Left, right: Right)
  -> Predicate
{
  let left = left.predicate
  if case .or(let clauses) = left.form { return .or(clauses + [right.predicate]) }
  return .or([left, right.predicate])
}

/// True where the other is false.
public prefix func ! <Operand: PredicateConvertible>(operand: Operand) -> Predicate {
  .not(operand.predicate)
}

/// What results can be sorted by: a property that sorts, ascending, or a ``SortKey``.
public protocol SortKeyConvertible {
  /// The sort key.
  var sortKey: SortKey { get }
}

extension SortKey: SortKeyConvertible {
  public var sortKey: SortKey { self }
}
