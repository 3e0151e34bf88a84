public import Satchel
public import SatchelQuery

extension StoreReading {
  /// Returns what a query finds, the best matches of its pattern first: see `StoreSnapshot.search(_:)`.
  /// - Complexity: As `StoreSnapshot.search(_:)`.
  /// - Throws: As `StoreSnapshot.search(_:)` and `read(_:)`.
  public func search<Object: StoredObject>(_ query: Query<Object>) throws -> [SearchResult<Object>] {
    try read { try $0.search(query) }
  }

  /// Returns words that begin as the last word of what somebody has typed does: see `StoreSnapshot.suggestions(for:in:limit:)`.
  /// - Complexity: As `StoreSnapshot.suggestions(for:in:limit:)`.
  /// - Throws: As `StoreSnapshot.suggestions(for:in:limit:)` and `read(_:)`.
  public func suggestions(
    for text: String, in name: String, limit: Int = 10
  ) throws -> [SearchSuggestion] {
    try read { try $0.suggestions(for: text, in: name, limit: limit) }
  }
}

// In asynchronous form, they do not block the caller's actor. Each has the complexity and the errors of its synchronous form.
extension MessageStore {
  /// Returns what a query finds, the best matches of its pattern first: see `StoreSnapshot.search(_:)`.
  /// - Throws: As the synchronous form.
  public func search<Object: StoredObject>(_ query: Query<Object>) async throws -> [SearchResult<Object>] {
    try await read { try $0.search(query) }
  }

  /// Returns words that begin as the last word of what somebody has typed does: see `StoreSnapshot.suggestions(for:in:limit:)`.
  /// - Throws: As the synchronous form.
  public func suggestions(
    for text: String, in name: String, limit: Int = 10
  ) async throws -> [SearchSuggestion] {
    try await read { try $0.suggestions(for: text, in: name, limit: limit) }
  }
}
