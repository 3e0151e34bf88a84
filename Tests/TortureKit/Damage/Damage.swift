import StoreModel
package import TestSupport

/// One damage to the file of a store.
package struct Damage: Sendable {
  package let name: String
  /// The file after it.
  package let bytes: [UInt8]

  /// The kinds of which so many are drawn; truncations, headers and zeroed pages are counted out.
  package enum Kind: String, CaseIterable, Sendable {
    case bit, byte, run, sector, zeroes, noise, swapped, old
  }

  /// A random damage of a kind; nil where there is nothing to do it with.
  /// - Parameter earlier: What pages held before, by number.
  package static func random(
    _ kind: Kind, of sound: [UInt8], earlier: [Int: [[UInt8]]], _ generator: inout SeededGenerator
  ) -> Damage? {
    var bytes = sound
    let size = PageFile.size
    let page = generator.draw(below: sound.count / size)
    let place = generator.draw(below: sound.count)
    switch kind {
    case .bit:
      let bit = generator.draw(below: 8)
      bytes[place] ^= 1 << bit
      return Damage(name: "bit \(bit) of byte \(place)", bytes: bytes)
    case .byte:
      bytes[place] = UInt8(truncatingIfNeeded: generator.next())
      return Damage(name: "byte \(place)", bytes: bytes)
    case .run:
      let count = min(2 + generator.draw(below: 64), sound.count - place)
      for index in place..<place + count { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
      return Damage(name: "\(count) bytes at \(place)", bytes: bytes)
    case .sector:
      let start = place / 512 * 512
      for index in start..<start + 512 { bytes[index] = 0 }
      return Damage(name: "sector at \(start) zeroed", bytes: bytes)
    case .zeroes: return zeroed(page, of: sound)
    case .noise:
      for index in page * size..<(page + 1) * size {
        bytes[index] = UInt8(truncatingIfNeeded: generator.next())
      }
      return Damage(name: "page \(page) random", bytes: bytes)
    case .swapped:
      let other = generator.draw(below: sound.count / size)
      bytes.replaceSubrange(page * size..<(page + 1) * size, with: sound[other * size..<(other + 1) * size])
      bytes.replaceSubrange(other * size..<(other + 1) * size, with: sound[page * size..<(page + 1) * size])
      return Damage(name: "pages \(page) and \(other) swapped", bytes: bytes)
    case .old:
      let pages = earlier.keys.sorted().filter { ($0 + 1) * size <= sound.count }
      guard !pages.isEmpty else { return nil }
      let page = generator.draw(from: pages)
      let versions = earlier[page] ?? []
      guard !versions.isEmpty else { return nil }
      let version = generator.draw(below: versions.count)
      bytes.replaceSubrange(page * size..<(page + 1) * size, with: versions[version])
      return Damage(name: "page \(page) as it was \(versions.count - version) writes ago", bytes: bytes)
    }
  }

  package static func zeroed(_ page: Int, of sound: [UInt8]) -> Damage {
    var bytes = sound
    for index in page * PageFile.size..<(page + 1) * PageFile.size { bytes[index] = 0 }
    return Damage(name: "page \(page) zeroed", bytes: bytes)
  }

  /// Zeros from 77 places on to the end.
  package static func zeroedEnds(of sound: [UInt8]) -> [Damage] {
    (0..<77).map { index in
      let place = sound.count * index / 77
      return Damage(
        name: "zeros from \(place) on",
        bytes: sound[..<place] + [UInt8](repeating: 0, count: sound.count - place))
    }
  }

  /// 154 lengths: page by page, and in between.
  package static func truncations(of sound: [UInt8]) -> [Damage] {
    (0..<154).map { index in
      let length =
        sound.count * index / 154 / (index % 2 == 0 ? PageFile.size : 1)
        * (index % 2 == 0 ? PageFile.size : 1)
      return Damage(name: "cut at \(length)", bytes: Array(sound[..<length]))
    }
  }

  /// Fields of the meta pages with values that somebody hostile would choose, in one meta page and in both.
  package static func headers(of sound: [UInt8]) -> [Damage] {
    let fields: [(String, Int, Int)] = [
      ("page number", 0, 8), ("page flags", 10, 2), ("signature", 16, 4), ("version", 20, 4),
      ("map size", 32, 8),
      ("page size", 40, 4), ("flags", 44, 2), ("free depth", 46, 2), ("free entries", 72, 8),
      ("free root", 80, 8),
      ("main flags", 92, 2), ("main depth", 94, 2), ("main entries", 120, 8), ("main root", 128, 8),
      ("last page", 136, 8), ("transaction", 144, 8),
    ]
    let values: [(String, [UInt8])] = [
      ("0", [UInt8](repeating: 0, count: 8)), ("all bits", [UInt8](repeating: 0xff, count: 8)),
      ("1", [1, 0, 0, 0, 0, 0, 0, 0]), ("2^31", [0, 0, 0, 0x80, 0, 0, 0, 0]),
      ("2^62", [0, 0, 0, 0, 0, 0, 0, 0x40]),
    ]
    return fields.flatMap { field, offset, count in
      values.flatMap { value, bytes in
        [[0], [PageFile.size], [0, PageFile.size]].map { starts in
          var damaged = sound
          for start in starts {
            damaged.replaceSubrange(start + offset..<start + offset + count, with: bytes.prefix(count))
          }
          return Damage(name: "\(field) = \(value) in the meta pages at \(starts)", bytes: damaged)
        }
      }
    }
  }

  /// One bit of the free list, or of the header of any page.
  package static func flip(of sound: [UInt8], _ generator: inout SeededGenerator) -> Damage {
    let file = PageFile(sound)
    let free = file.freeList
    var bytes = sound
    let place: Int
    if generator.chance(50), !free.isEmpty {
      place = generator.draw(from: free) * PageFile.size + generator.draw(below: PageFile.size)
    } else {
      place = (2 + generator.draw(below: file.pages - 2)) * PageFile.size + generator.draw(below: 16)
    }
    let bit = generator.draw(below: 8)
    bytes[place] ^= 1 << bit
    return Damage(
      name: "bit \(bit) of byte \(place % PageFile.size) of page \(place / PageFile.size)", bytes: bytes)
  }
}
