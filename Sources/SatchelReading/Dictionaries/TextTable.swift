internal import SatchelModel
import SatchelText
internal import Synchronization

/// Committed texts of one dictionary, by their numbers. The table only grows. So the text of a number is read without a
/// lock, for which readers on many threads would otherwise compete once per row.
final class TextTable: Sendable {
  private struct Entries {
    /// Texts of numbers so large that the chunks up to them would be mostly empty.
    var others: [UInt32: String] = [:]
    var numbers: [ByteString: UInt32] = [:]
    var bytes = 0
  }

  /// The texts by number, in chunks: numbers are dense.
  private let chunks = AtomicSlots<TextChunk>(count: TextTable.longest / TextChunk.count)
  private let entries = Mutex(Entries())

  /// How many numbers have a slot.
  private static let longest = 1 << 18

  /// About how many bytes of memory the table takes.
  var bytes: Int { entries.withLock { $0.bytes } }

  func text(_ id: UInt32) -> String? {
    guard Int(id) < Self.longest else { return entries.withLock { $0.others[id] } }
    return slotted(id)
  }

  private func slotted(_ id: UInt32) -> String? {
    // Neither the chunk nor the box is retained: all threads would count in the same words.
    guard let chunk = unsafe chunks.unretained(Int(id) / TextChunk.count) else { return nil }
    return unsafe chunk._withUnsafeGuaranteedRef { chunk in
      guard let box = unsafe chunk.texts.unretained(Int(id) % TextChunk.count) else { return nil }
      return unsafe box._withUnsafeGuaranteedRef { $0.text }
    }
  }

  func holds(_ id: UInt32) -> Bool { text(id) != nil }

  func number(of text: String) -> UInt32? { entries.withLock { $0.numbers[ByteString(text)] } }

  /// Returns those of the given numbers that are not in the table.
  func missing(of ids: [UInt32]) -> [UInt32] { ids.filter { !holds($0) } }

  func add(_ id: UInt32, _ text: String) {
    entries.withLock { entries in
      // Not by `text(_:)`, which would lock again.
      let isHeld = Int(id) < Self.longest ? slotted(id) != nil : entries.others[id] != nil
      guard entries.numbers.updateValue(id, forKey: ByteString(text)) == nil || !isHeld else { return }
      entries.bytes += text.utf8.count + DictionaryCache.entryBytes
      guard Int(id) < Self.longest else {
        entries.others[id] = text
        return
      }
      let chunkIndex = Int(id) / TextChunk.count
      if chunks[chunkIndex] == nil { entries.bytes += TextChunk.count * MemoryLayout<Int>.stride }
      let chunk = chunks.fill(chunkIndex, TextChunk())
      _ = chunk.texts.fill(Int(id) % TextChunk.count, TextBox(text))
    }
  }
}

/// The texts of neighbouring numbers.
private final class TextChunk: Sendable {
  static let count = 256
  let texts = AtomicSlots<TextBox>(count: TextChunk.count)
}

/// A text that several threads may read at the same time.
private final class TextBox: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

/// Slots for objects. Each slot is filled once, never changes afterwards, and is read without a lock.
///
/// `AtomicLazyReference` would do the same. But it is generic across a module boundary, and each use of it asks the
/// runtime for types: making and freeing a few thousand of them took most of the time of opening a store. An atomic
/// number takes one instruction.
private final class AtomicSlots<Object: AnyObject & Sendable>: Sendable {
  private let slots: UnsafeSlots

  /// Memory that lives as long as the object that allocated it. Each word is 0 or a retained object.
  ///
  /// It is safe to hold; to read and to change the words is unsafe.
  @safe private struct UnsafeSlots: @unchecked Sendable {
    let buffer: UnsafeMutableBufferPointer<Atomic<UInt>>
  }

  init(count: Int) {
    let buffer = UnsafeMutableBufferPointer<Atomic<UInt>>.allocate(capacity: count)
    for index in 0..<count { unsafe buffer.initializeElement(at: index, to: Atomic(0)) }
    slots = unsafe UnsafeSlots(buffer: buffer)
  }

  deinit {
    // As `AnyObject`, because a generic deinit is not specialised.
    for index in unsafe slots.buffer.indices {
      guard let object = unsafe UnsafeRawPointer(bitPattern: slots.buffer[index].load(ordering: .acquiring))
      else {
        continue
      }
      unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }
    unsafe slots.buffer.deallocate()
  }

  subscript(index: Int) -> Object? {
    unsafe reference(slots.buffer[checked(index)].load(ordering: .acquiring))?.takeUnretainedValue()
  }

  /// Returns the object in a slot without retaining it. It lives as long as the slots do.
  @inline(__always)
  func unretained(_ index: Int) -> Unmanaged<Object>? {
    unsafe reference(slots.buffer[checked(index)].load(ordering: .acquiring))
  }

  /// Fills a slot unless another thread was faster. Returns the object that is now in the slot.
  func fill(_ index: Int, _ object: Object) -> Object {
    let new = unsafe Unmanaged.passRetained(object)
    let (isFilled, there) = unsafe slots.buffer[checked(index)].compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFilled, let earlier = unsafe reference(there) else { return object }
    unsafe new.release()
    return unsafe earlier.takeUnretainedValue()
  }

  private func reference(_ word: UInt) -> Unmanaged<Object>? {
    guard let object = unsafe UnsafeRawPointer(bitPattern: word) else { return nil }
    return unsafe Unmanaged.fromOpaque(object)
  }

  private func checked(_ index: Int) -> Int {
    precondition(unsafe slots.buffer.indices.contains(index), "no such slot")
    return index
  }
}
