#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What this process holds of the files in a directory, as the system says: descriptors, maps, locks and watches.
  package enum HeldByProcess {
    /// Returns a line for each thing that is held of the directory and of the files that are in it now.
    package static func things(in directory: String) -> [String] {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard realpath(directory, &buffer) != nil else { return ["no directory \(directory)"] }
      let path = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let inodes = inodes(of: path)
      return descriptors(in: path) + watches(of: inodes)
        + lines(of: "/proc/self/maps").filter { $0.contains(path) }.map { "map \($0)" }
        + lines(of: "/proc/locks").filter { isLock($0, of: inodes) }.map { "lock \($0)" }
    }

    /// How many threads the process has.
    package static var threads: Int { names(in: "/proc/self/task").count }

    private static func descriptors(in path: String) -> [String] {
      names(in: "/proc/self/fd").compactMap { name in
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(name)", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target == path || target.hasPrefix(path + "/") ? "descriptor \(name) of \(target)" : nil
      }
    }

    /// `inotify wd:1 ino:3b6c1 sdev:800001 mask:2 …`, with a line for each watch.
    private static func watches(of inodes: Set<UInt64>) -> [String] {
      names(in: "/proc/self/fdinfo").flatMap { name in
        lines(of: "/proc/self/fdinfo/\(name)").filter { line in
          guard line.hasPrefix("inotify "),
            let word = line.split(separator: " ").first(where: { $0.hasPrefix("ino:") })
          else { return false }
          return UInt64(word.dropFirst(4), radix: 16).map(inodes.contains) == true
        }.map { "watch \($0)" }
      }
    }

    /// `1: POSIX  ADVISORY  WRITE 4711 08:01:131090 0 EOF`; one who waits has an arrow, and holds nothing.
    private static func isLock(_ line: String, of inodes: Set<UInt64>) -> Bool {
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] != "->", words[4] == "\(getpid())" || words[1] == "OFDLCK" else {
        return false
      }
      return words[5].split(separator: ":").last.flatMap { UInt64($0) }.map(inodes.contains) == true
    }

    private static func inodes(of path: String) -> Set<UInt64> {
      var found: Set<UInt64> = []
      for file in [path] + names(in: path).map({ path + "/" + $0 }) {
        var status = stat()
        if lstat(file, &status) == 0 { found.insert(UInt64(status.st_ino)) }
      }
      return found
    }

    private static func names(in directory: String) -> [String] {
      guard let entries = opendir(directory) else { return [] }
      defer { closedir(entries) }
      var names: [String] = []
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
      }
      return names
    }

    private static func lines(of path: String) -> [String] {
      guard let file = fopen(path, "r") else { return [] }
      defer { fclose(file) }
      var bytes: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
#endif
