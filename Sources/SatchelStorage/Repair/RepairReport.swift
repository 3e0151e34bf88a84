/// What a repair has found and done.
package struct RepairReport: Sendable {
  /// What was wrong before.
  package internal(set) var before: VerificationReport
  /// What was done, a sentence each; empty when there was nothing to do.
  package internal(set) var actions: [String] = []
  /// The faults of records, which no repair mends; then nothing was done.
  package internal(set) var refusal: [VerificationReport.Fault] = []

  package var isRefused: Bool { !refusal.isEmpty }
}
