/// Where things are in the pages of an LMDB file: as much of it as damage has to aim at.
package struct PageFile {
  package static let size = 4096
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var pages: Int { bytes.count / Self.size }

  /// The page of the newest root of the free list and all pages below it, those of long lists included.
  package var freeList: [Int] {
    let newest = number(Self.size + 144, 8) > number(144, 8) ? Self.size : 0
    var found: [Int] = []
    collect(number(newest + 80, 8), depth: 0, &found)
    return found
  }

  private func collect(_ page: Int, depth: Int, _ found: inout [Int]) {
    let start = page &* Self.size
    guard page >= 2, page < pages, depth < 8, !found.contains(page) else { return }
    found.append(page)
    let flags = number(start + 10, 2)
    let count = (number(start + 12, 2) - 16) / 2
    for index in 0..<max(0, min(count, 2000)) {
      let node = start + number(start + 16 + 2 * index, 2)
      guard node + 16 <= start + Self.size else { continue }
      if flags & 1 != 0 {
        collect(number(node, 6), depth: depth + 1, &found)
      } else if number(node + 4, 2) & 1 != 0 {
        let key = number(node + 6, 2)
        let first = number(node + 8 + key, 8)
        guard first >= 2, first < pages else { continue }
        let length = number(first * Self.size + 12, 4)
        found += (first..<min(first + max(1, length), pages))
      }
    }
  }

  private func number(_ place: Int, _ count: Int) -> Int {
    guard place >= 0, place + count <= bytes.count else { return 0 }
    return (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
