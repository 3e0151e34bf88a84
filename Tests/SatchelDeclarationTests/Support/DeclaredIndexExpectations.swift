import Satchel
import Testing

/// What a query finds by its declared index is what it finds without.
/// - Parameter isLarge: Leaves the index dropped: to declare it once more would take long.
func expectSame<Object: StoredObject>(
  _ query: Query<Object>, as index: Index, _ store: MessageStore, isLarge: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let explanation = try store.explain(query)
  #expect(explanation.paths[explanation.chosen].index == index.name, sourceLocation: sourceLocation)
  let (found, number) = (try store.fetch(query).map(\.id), try store.count(query))
  #expect(
    found.allSatisfy { $0.recordType == query.untyped.recordType }, sourceLocation: sourceLocation)
  try store.dropIndex(named: index.name)
  #expect(try store.fetch(query).map(\.id) == found, sourceLocation: sourceLocation)
  #expect(try store.count(query) == number, sourceLocation: sourceLocation)
  #expect(!found.isEmpty, sourceLocation: sourceLocation)
  if !isLarge { try store.declare(index) }
}
