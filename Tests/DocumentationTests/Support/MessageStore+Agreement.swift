import Foundation
import Satchel
import SatchelFoundation
import Testing

extension MessageStore {
  /// Expects of a predicate to find the objects for which its evaluation is true, and of its complement to find the others.
  ///
  /// It has to be true for some objects and false for others, so that an answer of all or none is noticed.
  func agrees<Object: StoredObject>(
    with predicate: Predicate<Object>, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let all = try fetch(Query<Object>())
    let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
    #expect(!expected.isEmpty && expected.count < all.count, sourceLocation: location)
    let query = try Query(predicate)
    #expect(try identifiers(query) == expected, "\(query)", sourceLocation: location)
    let complement = Query<Object>().filter(.not(try QueryPredicate(predicate)))
    #expect(
      try identifiers(complement) == all.map(\.id).filter { !expected.contains($0) }, "\(complement)",
      sourceLocation: location)
    // What is stored, or typed into a shell, is the same predicate.
    let translated = try QueryPredicate(predicate)
    #expect(try QueryPredicate(format: translated.description) == translated, sourceLocation: location)
  }
}
