extension LiveQuery {
  /// True if an index has the results in order, so that none of them is held; nil before the first `load`.
  package var isIndexed: Bool? {
    core.state.withLock { state in
      guard let state else { return nil }
      if case .indexed = state.result { return true }
      return false
    }
  }
}
