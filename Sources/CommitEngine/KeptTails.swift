/// What one of LMDB's readers keeps of the journal from one read to the next. One thread at a time has it.
package final class KeptTails: @unchecked Sendable {
  /// What was known of the journal, and the number of that.
  @safe @exclusivity(unchecked) var tails: KnownTails?
  @safe @exclusivity(unchecked) var generation: UInt64 = 0

  package init() {}
}
