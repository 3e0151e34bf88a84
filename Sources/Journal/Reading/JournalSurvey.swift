internal import SatchelBytes

/// All records of a journal that are whole, wherever they are in it: for a store that is damaged.
///
/// A `JournalReader` stops at the first record that is not whole, because nothing behind it may count. Here it may: a record that is
/// whole is one that somebody has appended to this store's journal.
package struct JournalSurvey: Sendable {
  /// What cannot be read as a journal.
  package enum Flaw: Sendable, Hashable {
    /// It belongs to the store of this UUID.
    case otherStore(JournalOwner)
    case version(UInt32)
    /// Its header is damaged, and nobody says whose it is.
    case unknownStore
  }

  /// The whole records, in the order in which they were appended.
  package private(set) var records: [JournalRecord] = []
  /// The commits behind which a record was begun that is not whole: damaged, or never finished. What such a record says of itself is not
  /// believed, but for what it follows: that is the checksum of something that is whole.
  package private(set) var broken: Set<UInt64> = []
  /// The points that the journal has: those behind its records, and those at which segments begin.
  package private(set) var points: Set<JournalPoint> = []
  /// Whether the file is one in which nothing was ever begun, or one of which only that is left.
  package private(set) var isEmpty = false
  /// Why nothing was read; nil if something could be read.
  package private(set) var flaw: Flaw?

  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - owner: The UUID of the store; nil if it is lost: then the journal is believed.
  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8], of owner: JournalOwner?) {
    let span = unsafe bytes.span.bytes
    guard span.byteCount > 0 else {
      isEmpty = true
      return
    }
    switch JournalHeaderReading(
      span.extracting(0..<min(JournalFormat.sector, span.byteCount)), fileSize: span.byteCount)
    {
    case .header(let header):
      if let owner, header.owner != owner {
        flaw = .otherStore(header.owner)
        return
      }
      read(span, header, segmentSize: header.segmentSize)
    case .unfinished: isEmpty = true
    case .version(let number): flaw = .version(number)
    case .invalid:
      guard let owner else {
        flaw = .unknownStore
        return
      }
      // Its version and the places of its segments are lost with the header: it is all one segment.
      for version in [JournalVersion.second, .first] where points.isEmpty && records.isEmpty {
        read(
          span, JournalHeader(owner: owner, segmentSize: span.byteCount, version: version), segmentSize: nil)
      }
      isEmpty = points.isEmpty && records.isEmpty
    }
  }

  /// The last commit that the journal has had, as far as anything in it that is whole says so: a segment is begun when all before it is
  /// synced. 0 if nothing says it.
  package var reached: UInt64 { points.lazy.map(\.sequence).max() ?? 0 }

  private mutating func read(_ bytes: RawSpan, _ header: JournalHeader, segmentSize: Int?) {
    let segments = SurveyedSegment.all(in: bytes, header, segmentSize)
    points.formUnion(segments.map(\.header.start))
    if header.version == .first {
      for segment in segments.newest { read(chainOf: segment, bytes, header) }
    } else {
      readAll(
        bytes, header, segmentSize,
        beginnings: Dictionary(
          segments.map { ($0.checksum, $0.header.start.sequence) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  private mutating func add(_ fixed: RecordHeader, _ payload: RawSpan) {
    points.insert(fixed.end)
    records.append(
      JournalRecord(
        generation: fixed.generation, first: fixed.first, memberCount: fixed.memberCount,
        payload: payload.array[...], end: fixed.end))
  }

  // MARK: - Records that are known by the one before

  /// Reads a segment from its header on. A record whose payload is damaged still says where the next one begins, and what it
  /// follows.
  private mutating func read(chainOf segment: SurveyedSegment, _ bytes: RawSpan, _ journal: JournalHeader) {
    var last = segment.header.start.sequence
    // Behind a record that is not whole, only the next one that is shows which commits it had.
    var isKnown = true
    var link = segment.checksum
    var generation = segment.header.generation
    var offset = segment.begin + JournalFormat.sector
    while let fixed = RecordHeader(bytes, at: offset, in: journal.version, room: segment.end - offset),
      fixed.first == last + 1, fixed.generation >= generation, offset + fixed.count <= bytes.byteCount
    {
      let record = bytes.extracting(offset..<offset + fixed.count)
      if fixed.isWhole(record, after: link, of: journal.owner) {
        add(fixed, record.extracting(journal.version.recordHeader..<record.byteCount))
        isKnown = true
      } else {
        if isKnown { broken.insert(last) }
        isKnown = false
      }
      last = fixed.last
      link = fixed.checksum
      generation = fixed.generation
      offset += fixed.size
    }
  }

  // MARK: - Records that are known by themselves

  /// Finds the whole records wherever they are, and puts them in their order.
  /// - Parameter beginnings: By the checksum of a segment's header, the commit behind which the segment begins.
  private mutating func readAll(
    _ bytes: RawSpan, _ journal: JournalHeader, _ segmentSize: Int?, beginnings: [UInt64: UInt64]
  ) {
    var found: [(header: RecordHeader, payload: Range<Int>)] = []
    var torn: [RecordHeader] = []
    // Where the header is lost, anything may be in its place.
    var begin = segmentSize == nil ? 0 : JournalFormat.headerBlock
    while begin < bytes.byteCount {
      let end = min(bytes.byteCount, begin + (segmentSize ?? bytes.byteCount))
      var scan = RecordScan(bytes.extracting(begin..<end).array, journal, from: 0)
      while let candidate = scan.next() {
        let start = begin + candidate.offset
        let payload = start + journal.version.recordHeader..<start + candidate.header.count
        if candidate.isWhole {
          found.append((candidate.header, payload))
        } else {
          torn.append(candidate.header)
        }
      }
      begin = end
    }
    // Of two that begin with one commit, the later attempt.
    found.sort { ($0.header.first, $1.header.generation) < ($1.header.first, $0.header.generation) }
    var last: RecordHeader?
    for (header, payload) in found {
      if let last {
        guard header.first > last.last else { continue }
        // What somebody had begun behind records that were lost, and that have been written once more since.
        guard header.generation >= last.generation else { continue }
        // What a writer had appended behind another record than the one that is there now.
        if header.first == last.last + 1, let link = header.link, link != last.checksum,
          beginnings[link] == nil
        {
          continue
        }
      }
      add(header, bytes.extracting(payload))
      last = header
    }
    let known = beginnings.merging(points.map { ($0.chain, $0.sequence) }) { first, _ in first }
    broken = Set(torn.compactMap { $0.link.flatMap { known[$0] } })
  }
}
