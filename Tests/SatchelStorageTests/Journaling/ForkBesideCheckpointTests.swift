#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif
  import Dispatch
  import SatchelModel
  import SatchelStorage
  import TestSupport
  import Testing

  /// A child that is forked off has none of its parent's threads, also not the one that makes a checkpoint.
  @Suite struct ForkBesideCheckpointTests {
    @Test func aChildThatClosesTheStoreDoesNotWait() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      await #expect(processExitsWith: .success) { [path = path as String] in
        var options = Store.Options()
        options.journal.commitsBefore = 0
        options.journal.checkpointCommits = 2
        let store = try Store.open(directory: path, user: "me", options: options)
        for name in ["first", "second"] { try store.write { try $0.setFollowed(true, Identity.ID(name)) } }
        let end = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        let holder = OtherThread()
        holder.start {
          try store.environment.writeBeside { _ in
            begun.signal()
            end.wait()
          }
        }
        begun.wait()
        // The checkpoint that these begin cannot end.
        for name in ["third", "fourth", "fifth"] {
          try store.write { try $0.setFollowed(true, Identity.ID(name)) }
        }
        typealias Fork = @convention(c) () -> pid_t
        // Swift hides `fork`, for good reasons; others in the process may call it all the same.
        let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
        let child = fork()
        if child == 0 {
          store.close()
          _exit(0)
        }
        var status: Int32 = -1
        for _ in 0..<1000 where waitpid(child, &status, WNOHANG) == 0 { usleep(10_000) }
        // One that waits for ever is not left behind.
        if status == -1 { kill(child, SIGKILL) }
        end.signal()
        try holder.finish()
        try #require(status == 0, "the child ended with \(status)")
        try store.write { try $0.setFollowed(true, "sixth") }
        try expectSound(store)
        store.close()
      }
    }
  }
#endif
