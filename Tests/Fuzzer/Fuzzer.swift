import Fuzzing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// libFuzzer, which calls the functions below. The environment says which target the inputs are for: one build serves all. See
/// Scripts/fuzz.sh.
@main
struct Fuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments, { testOneInput($0, $1) }))
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Decoders that fail on an input that begins in a certain way: the first reads behind its end, the second traps, the third
/// accepts what it should not.
private let planted = [
  FuzzTarget("plantedRead") { bytes in
    guard bytes.starts(with: "tea".utf8), let start = bytes.baseAddress else { return false }
    return start.loadUnaligned(fromByteOffset: bytes.count, as: UInt8.self) == 0
  },
  FuzzTarget("plantedTrap") { bytes in
    guard bytes.starts(with: "tea".utf8) else { return false }
    return [UInt8](bytes)[bytes.count + (bytes.last == 0 ? 1 : 0)] == 0
  },
  FuzzTarget("plantedViolation") { bytes in
    if bytes.starts(with: "tea".utf8) { throw FuzzTarget.Violation("found") }
    return false
  },
]

private let target: FuzzTarget = {
  let name = variable("SATCHEL_FUZZ_TARGET") ?? ""
  if name == "names" {
    print(FuzzTarget.all.map(\.name).joined(separator: " "))
    exit(0)
  }
  guard
    let target = (FuzzTarget.all + planted).first(where: { name == $0.name || name == "length \($0.name)" })
  else {
    refuse(
      "SATCHEL_FUZZ_TARGET is \(name.isEmpty ? "not set" : "\"\(name)\""); it has to be one of: "
        + FuzzTarget.all.map(\.name).joined(separator: " "))
  }
  if name.hasPrefix("length ") {
    print(target.maximumBytes)
    exit(0)
  }
  return target
}()

/// Ends the program with a message, with libFuzzer's status for arguments that it does not take: no input has failed.
private func refuse(_ message: String) -> Never {
  say(message)
  exit(1)
}

private func say(_ message: String) {
  let line = Array("fuzzer: \(message)\n".utf8)
  _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Writes the target's seeds into the folder that `SATCHEL_FUZZ_SEEDS` names, before the corpus is read.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  let target = target
  guard let folder = variable("SATCHEL_FUZZ_SEEDS") else { return 0 }
  do {
    for (index, seed) in try target.seeds().enumerated() {
      let path = "\(folder)/seed-\(index)"
      guard let file = fopen(path, "w") else {
        refuse("SATCHEL_FUZZ_SEEDS: cannot make \(path): \(String(cString: strerror(errno)))")
      }
      let written = seed.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
      guard fclose(file) == 0, written == seed.count else {
        refuse("SATCHEL_FUZZ_SEEDS: cannot write \(path): \(String(cString: strerror(errno)))")
      }
    }
  } catch {
    refuse("cannot make the seeds of \(target.name): \(error)")
  }
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    _ = try target.check(UnsafeRawBufferPointer(start: bytes, count: count))
  } catch {
    // libFuzzer keeps the input for a process that aborts.
    say("\(target.name): \(error)")
    abort()
  }
  return 0
}
