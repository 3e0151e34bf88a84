public import Foundation
public import SatchelModel

extension SatchelError: CustomNSError {
  /// The domain of every error of the library as an `NSError`.
  public static var errorDomain: String { "Satchel.SatchelError" }

  /// The number of the code, which stays the same in later versions; 0 for a code that has none yet.
  public var errorCode: Int { code.number }

  /// The description, under `NSLocalizedDescriptionKey`; the name of the code, under `SatchelErrorCode`; and the names and
  /// values of this case, a `[String: String]`, under `SatchelErrorContext`.
  public var errorUserInfo: [String: Any] {
    [
      NSLocalizedDescriptionKey: description, "SatchelErrorCode": code.rawValue,
      "SatchelErrorContext": context,
    ]
  }
}
