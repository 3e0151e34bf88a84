import SatchelLive

/// Applies a difference as its documentation says.
func apply<Element>(_ difference: ListDifference, to before: [Element], after: [Element]) -> [Element] {
  var list = before
  let gone = difference.deletes + difference.moves.map(\.before)
  for place in gone.sorted(by: >) { list.remove(at: place) }
  let come = difference.inserts + difference.moves.map(\.after)
  for place in come.sorted() where place <= list.count { list.insert(after[place], at: place) }
  return list
}
