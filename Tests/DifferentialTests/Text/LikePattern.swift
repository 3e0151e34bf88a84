/// A LIKE pattern: `%` any run, `_` one scalar, `\` makes the next scalar literal and at the end stands for itself.
///
/// Both pattern and text are taken case-folded; a match is of the whole text. O(pattern × text).
struct LikePattern {
  /// A byte of a literal scalar, or one of the two wildcards above the range of bytes.
  private var tokens: [UInt16] = []
  private static let anyScalar: UInt16 = 0x100
  private static let anyRun: UInt16 = 0x101

  init(_ pattern: ByteString) {
    var isEscaped = false
    for scalar in pattern.scalars {
      if isEscaped {
        appendLiteral(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "%" {
        tokens.append(Self.anyRun)
      } else if scalar == "_" {
        tokens.append(Self.anyScalar)
      } else {
        appendLiteral(scalar)
      }
    }
    if isEscaped { appendLiteral("\\") }
  }

  private mutating func appendLiteral(_ scalar: Unicode.Scalar) {
    tokens.append(contentsOf: ByteString(scalars: [CaseFolding.fold(scalar)]).utf8.map(UInt16.init))
  }

  /// - Parameter text: a case-folded text.
  func matches(_ text: ByteString) -> Bool {
    text.utf8.withUnsafeBufferPointer { bytes in
      tokens.withUnsafeBufferPointer { tokens in
        Self.match(bytes, tokens)
      }
    }
  }

  private static func match(_ bytes: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt16>)
    -> Bool
  {
    func after(_ index: Int) -> Int {
      var next = index + 1
      while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
      return next
    }
    var at = 0
    var token = 0
    var retryToken = -1
    var retryAt = 0
    while at < bytes.count {
      if token < tokens.count, tokens[token] == anyRun {
        retryToken = token
        retryAt = at
        token += 1
      } else if token < tokens.count, tokens[token] == anyScalar {
        at = after(at)
        token += 1
      } else if token < tokens.count, tokens[token] == UInt16(bytes[at]) {
        at += 1
        token += 1
      } else if retryToken >= 0 {
        retryAt = after(retryAt)
        at = retryAt
        token = retryToken + 1
      } else {
        return false
      }
    }
    while token < tokens.count, tokens[token] == anyRun { token += 1 }
    return token == tokens.count
  }
}
