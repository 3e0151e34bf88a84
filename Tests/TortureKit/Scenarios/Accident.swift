#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One run of a scenario in a world of its own, to which something happens.
package struct Accident {
  package let scenario: Scenario
  package let world: World

  package init(_ scenario: Scenario, _ template: Template) throws {
    self.scenario = scenario
    world = try World(template)
    try scenario.prepare(world)
  }

  private var state: String { world.scratch("state") }

  /// How many calls a run makes that nothing happens to.
  package func countCalls(countsReads: Bool = false, countsLocks: Bool = false) throws -> Int {
    let result = try run(
      world.programs.shim.meeting(
        world.root, state: state, countsReads: countsReads, countsLocks: countsLocks))
    guard result.end == .exited(0) || result.end == .exited(3) else {
      throw TortureError("\(scenario.name) fails by itself: \(result.brief)")
    }
    return try Shim.counts(state).calls
  }

  /// Runs it with an event at one of its calls.
  package func meet(
    _ event: Shim.Event, at call: Int, goesOn: Bool = false, countsReads: Bool = false
  ) throws -> Child.Result {
    try run(
      world.programs.shim.meeting(
        world.root, state: state, at: call, event, goesOn: goesOn, countsReads: countsReads))
  }

  /// Begins a run that is stopped at one of its calls, locks among them.
  package func begin(stoppedAt call: Int) throws -> Child {
    let (program, arguments) = try scenario.command(world)
    return try Child(
      program, arguments,
      environment: world.programs.shim.meeting(world.root, state: state, at: call, .stop, countsLocks: true),
      in: world.scratch.path)
  }

  /// How many calls the event hit.
  package func hits() throws -> Int { try Shim.counts(state).hits }

  /// Runs it, and kills it after so many microseconds.
  package func kill(after delay: UInt32) throws -> Child.Result {
    let (program, arguments) = try scenario.command(world)
    let child = try Child(program, arguments, in: world.scratch.path)
    usleep(delay)
    child.kill()
    return child.wait()
  }

  /// Runs it through the shell, which limits it first.
  package func run(limited limit: String) throws -> Child.Result {
    let (program, arguments) = try scenario.command(world)
    return try Child.run(
      "/bin/sh", ["-c", limit + "; exec \"$0\" \"$@\"", program] + arguments, in: world.scratch.path)
  }

  package func run(_ environment: [String: String] = [:]) throws -> Child.Result {
    let (program, arguments) = try scenario.command(world)
    return try Child.run(program, arguments, environment: environment, in: world.scratch.path)
  }

  /// What is wrong afterwards; nil when nothing is.
  package func check(isDone: Bool) throws -> String? {
    do { return try scenario.check(world, isDone) } catch let error as TortureError { throw error } catch {
      return "refused afterwards: \(error)"
    }
  }
}
