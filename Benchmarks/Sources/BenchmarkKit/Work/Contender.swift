/// One engine's way to do a workload.
public struct Contender {
  /// Whose way it is.
  public let engine: EngineName
  /// Called once before the workload, outside of what is timed.
  public let setUp: (() throws -> Void)?
  /// Called once after the workload, also when it failed.
  public let tearDown: (() throws -> Void)?
  /// The work. It gets the number of the run, 0, 1, 2, …: reads use it to pick a different key each time, the same
  /// for every engine.
  public let body: (Int) throws -> Answer
  /// What a run has written, read back outside of what is timed; its answer takes the place of the body's. Only where a body runs
  /// once a round.
  public let readBack: ((Int) throws -> Answer)?

  /// A way to do a workload.
  public init(
    _ engine: EngineName, setUp: (() throws -> Void)? = nil, tearDown: (() throws -> Void)? = nil,
    readBack: ((Int) throws -> Answer)? = nil, body: @escaping (Int) throws -> Answer
  ) {
    self.engine = engine
    self.setUp = setUp
    self.tearDown = tearDown
    self.readBack = readBack
    self.body = body
  }
}
