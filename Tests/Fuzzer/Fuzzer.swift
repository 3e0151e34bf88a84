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
    fatalError("SATCHEL_FUZZ_TARGET names no target: one of \(FuzzTarget.all.map(\.name))")
  }
  if name.hasPrefix("length ") {
    print(target.maximumBytes)
    exit(0)
  }
  return target
}()

private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Writes the target's seeds into the folder that `SATCHEL_FUZZ_SEEDS` names, before the corpus is read.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  let target = target
  guard let folder = variable("SATCHEL_FUZZ_SEEDS") else { return 0 }
  do {
    for (index, seed) in try target.seeds().enumerated() {
      guard let file = fopen("\(folder)/seed-\(index)", "w") else {
        fatalError("cannot write into \(folder)")
      }
      seed.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
      fclose(file)
    }
  } catch {
    fatalError("the seeds of \(target.name): \(error)")
  }
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    _ = try target.check(UnsafeRawBufferPointer(start: bytes, count: count))
  } catch {
    fatalError("\(target.name): \(error)")
  }
  return 0
}
