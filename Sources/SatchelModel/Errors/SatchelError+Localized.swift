#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SatchelError: LocalizedError {
  /// What `localizedDescription` gives: the same as ``description``. It is in English and for developers; a program that
  /// shows errors to its users words them by ``code``.
  public var errorDescription: String? { description }
}
