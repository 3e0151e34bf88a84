import Foundation
import Testing

/// The check of a store works in a process of its own, which must not outlive the command.
@Suite struct CheckProcessTests {
  /// The output is a full pipe, so that the check's process waits for a reader who never comes. When the command is
  /// killed, that process has to end as well: only then has the pipe no writer any more.
  @Test(arguments: [["verify"], ["verify", "--repair"]])
  func aKilledCheckLeavesNobodyBehind(_ arguments: [String]) throws {
    let directory = try Tool.Directory()
    let store = try Sample.make(in: directory)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    let page = [UInt8](repeating: 32, count: 4096)
    while write(writer, page, page.count) > 0 {}
    while write(writer, page, 1) > 0 {}
    _ = fcntl(writer, F_SETFL, 0)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.path)
    process.arguments = arguments + [store]
    process.standardOutput = FileHandle(fileDescriptor: writer, closeOnDealloc: false)
    process.standardError = FileHandle(forWritingAtPath: "/dev/null")
    try process.run()
    close(writer)
    // Long enough for the check to have come to its output; if it has not, it has to end all the same.
    usleep(1_000_000)
    #expect(process.isRunning, "it cannot have written anything")
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    var end = pollfd(fd: reader, events: 0, revents: 0)
    // A minute at most: without the mend it would never end.
    let found = poll(&end, 1, 60_000)
    #expect(found == 1 && Int32(end.revents) & Int32(POLLHUP) != 0, "the process of the check works on")
  }
}
