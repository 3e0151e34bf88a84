import TestSupport

/// What the environment says about how much to run.
enum TestSettings {
  /// `SATCHEL_LIVE_COMMITS`: how many commits the property test makes.
  static var commits: Int { TestEnvironment.count("SATCHEL_LIVE_COMMITS", usual: 1000) }

  /// `SATCHEL_LIVE_QUERIES`: how many queries are live at any time.
  static var queries: Int { TestEnvironment.count("SATCHEL_LIVE_QUERIES", usual: 32) }
}
