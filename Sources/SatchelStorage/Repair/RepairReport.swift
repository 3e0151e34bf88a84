/// The findings and actions of a repair.
package struct RepairReport: Sendable {
  /// What was wrong before.
  package internal(set) var before: VerificationReport
  /// What was done, one sentence for each action; empty if there was nothing to do.
  package internal(set) var actions: [String] = []
  /// The faults of records, which no repair can mend. If there are any, nothing was done.
  package internal(set) var refusal: [VerificationReport.Fault] = []

  package var isRefused: Bool { !refusal.isEmpty }
}
