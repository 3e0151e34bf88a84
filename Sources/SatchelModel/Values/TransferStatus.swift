/// How far the content of a part has got on its way between this device and the service.
///
/// The application sets it: for a draft, and later with `update`. The store keeps every content that it is given, whatever
/// the status says.
public enum TransferStatus: UInt8, Sendable, Hashable, CaseIterable, NamedValue {
  /// To be sent to the service, which has not begun.
  case awaitingUpload
  /// Being sent to the service.
  case uploading
  /// At the service, and not on this device.
  case readyForDownload
  /// Being fetched from the service.
  case downloading
  /// Nothing is left to transfer: every part that the application has said nothing else of.
  case complete

  /// The status as the interchange format and the predicate language spell it.
  public var name: String {
    switch self {
    case .awaitingUpload: "awaitingUpload"
    case .uploading: "uploading"
    case .readyForDownload: "readyForDownload"
    case .downloading: "downloading"
    case .complete: "complete"
    }
  }
}
