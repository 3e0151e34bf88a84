import Satchel
import Testing

extension MessageStore {
  /// Asks each spelling of one question, in each form that a result has: objects, identifiers and their number.
  func answers<Object: StoredObject>(
    _ spellings: [Query<Object>], _ expected: [Object.ID], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for query in spellings {
      #expect(try identifiers(query) == expected, "\(query)", sourceLocation: sourceLocation)
      #expect(try fetch(query).map(\.id) == expected, "\(query)", sourceLocation: sourceLocation)
      #expect(try count(query) == expected.count, "\(query)", sourceLocation: sourceLocation)
    }
  }
}
