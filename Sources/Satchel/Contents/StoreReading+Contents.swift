#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Contents of parts. A store reads each from a snapshot of its own.
extension StoreReading {
  /// Returns the content of a part as text, the whole of it or what is at some of its bytes: see
  /// `StoreSnapshot.text(of:in:)`.
  /// - Complexity: O(bytes returned).
  /// - Throws: As `StoreSnapshot.text(of:in:)` and `read(_:)`.
  public func text(of part: MessagePart.ID, in range: Range<Int>? = nil) throws -> String {
    try read { try $0.text(of: part, in: range) }
  }

  /// Returns the content of a part as bytes, the whole of it or what is at some offsets: see
  /// `StoreSnapshot.data(of:in:)`.
  /// - Complexity: O(bytes returned).
  /// - Throws: As `StoreSnapshot.data(of:in:)` and `read(_:)`.
  public func data(of part: MessagePart.ID, in range: Range<Int>? = nil) throws -> Data {
    try read { try $0.data(of: part, in: range) }
  }

  /// Returns the whole content of a part, of any size: see `StoreSnapshot.content(of:)`.
  /// - Complexity: O(size of the content).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it; and as `read(_:)`.
  public func content(of part: MessagePart.ID) throws -> [UInt8] { try read { try $0.content(of: part) } }

  /// Returns the bytes of a part's content at the given offsets; offsets after its end are left out.
  /// - Complexity: O(bytes returned).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it; and as `read(_:)`.
  public func content(of part: MessagePart.ID, in range: Range<Int>) throws -> [UInt8] {
    try read { try $0.content(of: part, in: range) }
  }
}
