import SatchelLines
import TestSupport
import Testing

@Suite struct JSONRandomTests {
  /// Whatever is written is read back as it was, and written again as it was.
  @Test func roundTrip() throws {
    var random = SeededGenerator(for: "JSON round trip")
    for _ in 0..<TestEnvironment.rounds(2_000) {
      let value = Self.value(depth: 0, using: &random)
      let bytes = Self.bytes(of: value)
      let again = try JSONValue(parsing: bytes)
      #expect(again == value)
      #expect(Self.bytes(of: again) == bytes)
    }
  }

  /// Bytes changed at random are read or refused, with a place inside the text; what is read survives a round trip.
  @Test func mutationsNeverTrap() throws {
    var random = SeededGenerator(for: "JSON mutations")
    var refused = 0
    for _ in 0..<TestEnvironment.rounds(20_000) {
      var bytes = Self.bytes(of: Self.value(depth: 0, using: &random))
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&bytes, using: &random) }
      do throws(JSONError) {
        let value = try JSONValue(parsing: bytes)
        #expect(try JSONValue(parsing: Self.bytes(of: value)) == value)
      } catch {
        refused += 1
        #expect((0...bytes.count).contains(error.offset))
      }
    }
    #expect(refused > 0)
  }

  @Test func noiseNeverTraps() {
    var random = SeededGenerator(for: "JSON noise")
    let alphabet =
      Array(#"{}[]:,"\u00Dd8cEe+-.0123456789tfnrals "#.utf8) + [0x00, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]
    for _ in 0..<TestEnvironment.rounds(20_000) {
      let count = Int.random(in: 0...24, using: &random)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      if let value = try? JSONValue(parsing: bytes) {
        #expect((try? JSONValue(parsing: Self.bytes(of: value))) == value)
      }
    }
  }

  static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    return writer.bytes
  }

  private static func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 1: bytes.removeLast(bytes.count - place)
    case 2 where place < bytes.count: bytes.remove(at: place)
    default:
      if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
    }
  }

  private static func value(depth: Int, using random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer(Int64.random(in: Int64.min...Int64.max, using: &random))
    case 3: return .integer(Int64.random(in: -20...20, using: &random))
    case 4, 5: return .string(string(using: &random))
    case 6:
      return .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth + 1, using: &random) })
    default:
      let members = (0..<Int.random(in: 0..<24, using: &random)).map { index in
        JSONObject.Member(
          key: "\(index):" + string(using: &random), value: value(depth: depth + 2, using: &random))
      }
      return .object(JSONObject(members: members))
    }
  }

  private static func string(using random: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x20...0x7E, 0...0x1F, 0x80...0x7FF, 0x800...0xD7FF, 0x1F300...0x1FAFF,
    ]
    var string = ""
    for _ in 0..<Int.random(in: 0..<20, using: &random) {
      let range = ranges.randomElement(using: &random) ?? 0x20...0x7E
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
        string.unicodeScalars.append(scalar)
      }
    }
    return string
  }
}
