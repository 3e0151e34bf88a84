/// The search through all pages that no tree leads to, for entries in the ranges that are lost.
extension PageSalvage {
  /// Searches the pages that were not reached, and gives every intact entry in a lost range to `found`.
  func sweep() throws {
    let ranges = LostRanges(summary.lost)
    var number: UInt64 = 2
    while number < file.pageCount {
      defer { number += 1 }
      guard !reached[Int(number)], let bytes = file.page(number) else { continue }
      let freedBy = freedBy[Int(number)]
      do {
        try withPage(bytes, number) { page in
          switch page.kind {
          case .branch: return
          // The pages of a value hold bytes that somebody chose: nothing in them counts as an entry.
          case .overflow: number = try lastPage(ofValue: page)
          case .leaf:
            let standing: Standing = freedBy > 0 ? .free(transaction: freedBy) : .orphan
            for index in 0..<page.count {
              let node = try page.node(index)
              guard let value = value(page, node) else { continue }
              unsafe try offer([UInt8](page.key(node)), value, standing, ranges)
            }
          }
        }
      } catch is PageFault {
        summary.damagedPages.insert(number)
        try carve(bytes, freedBy > 0 ? .free(transaction: freedBy) : .stray, ranges)
      }
    }
  }

  /// Returns the last of the pages that a value takes. If the value was given up, some of its pages may belong to a
  /// tree again.
  private func lastPage(ofValue page: CheckedPage) throws(PageFault) -> UInt64 {
    let end = page.number + (try page.overflowPages)
    guard freedBy[Int(page.number)] > 0 else { return end - 1 }
    var number = page.number
    while number + 1 < end, freedBy[Int(number + 1)] > 0 { number += 1 }
    return number
  }

  private func offer(
    _ key: [UInt8], _ value: [UInt8], _ standing: Standing, _ ranges: LostRanges
  ) throws {
    guard let name = unsafe key.withUnsafeBytes({ unsafe table($0) }), ranges.contains(key, of: name),
      unsafe key.withUnsafeBytes({ key in unsafe value.withUnsafeBytes { unsafe isIntact(key, $0) } })
    else { return }
    try found((key, value, standing))
  }

  /// Searches a page whose header or slots are damaged, at every even offset. Bytes that look like an entry and have
  /// the right checksum are an entry. Anything inside an entry that was found is part of its value.
  private func carve(_ bytes: [UInt8], _ standing: Standing, _ ranges: LostRanges) throws {
    let header = CheckedPage.Node.header
    var offset = CheckedPage.header
    while offset + header < bytes.count {
      guard let (key, value, end) = candidate(bytes, at: offset),
        unsafe key.withUnsafeBytes({ key in unsafe value.withUnsafeBytes { unsafe isIntact(key, $0) } })
      else {
        offset += 2
        continue
      }
      if let name = unsafe key.withUnsafeBytes({ unsafe table($0) }), ranges.contains(key, of: name) {
        try found((key, value, standing))
      }
      offset = end + end & 1
    }
  }

  /// Returns the entry that would begin at an offset of a page, or nil.
  private func candidate(_ page: [UInt8], at offset: Int) -> (key: [UInt8], value: [UInt8], end: Int)? {
    func half(_ at: Int) -> Int { Int(page[at]) | Int(page[at + 1]) << 8 }
    let flags = half(offset + 4)
    let start = offset + CheckedPage.Node.header
    let keyEnd = start + half(offset + 6)
    guard flags <= 1, keyEnd <= page.count, keyEnd > start else { return nil }
    let key = [UInt8](page[start..<keyEnd])
    guard unsafe key.withUnsafeBytes({ unsafe table($0) }) != nil else { return nil }
    let count = half(offset) | half(offset + 2) << 16
    if flags == 0 {
      guard count <= page.count - keyEnd else { return nil }
      return (key, [UInt8](page[keyEnd..<keyEnd + count]), keyEnd + count)
    }
    guard keyEnd + 8 <= page.count else { return nil }
    let number = unsafe page.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: keyEnd, as: UInt64.self)
    }
    return file.overflow(number, count: count).map { (key, $0, keyEnd + 8) }
  }
}

/// The lost ranges of keys by table, merged where they overlap.
struct LostRanges {
  private var ranges: [String: [(lower: [UInt8], upper: [UInt8]?)]] = [:]
  /// Whether no table could be read.
  private var isEverything = false

  init(_ lost: [PageSalvage.LostRange]) {
    for range in lost.sorted(by: { $0.lower.lexicographicallyPrecedes($1.lower) }) {
      guard let table = range.table else {
        isEverything = true
        return
      }
      var known = ranges[table] ?? []
      if let last = known.last, last.upper.map({ !$0.lexicographicallyPrecedes(range.lower) }) ?? true {
        let upper = last.upper.flatMap { first in
          range.upper.map { first.lexicographicallyPrecedes($0) ? $0 : first }
        }
        known[known.count - 1].upper = upper
      } else {
        known.append((range.lower, range.upper))
      }
      ranges[table] = known
    }
  }

  func contains(_ key: [UInt8], of table: String) -> Bool {
    guard !isEverything else { return true }
    guard let ranges = ranges[table] else { return false }
    // The last range that begins at or before the key.
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if key.lexicographicallyPrecedes(ranges[middle].lower) { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return false }
    return ranges[low - 1].upper.map { key.lexicographicallyPrecedes($0) } ?? true
  }
}
