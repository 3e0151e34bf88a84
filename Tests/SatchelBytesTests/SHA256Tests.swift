import SatchelBytes
import TestSupport
import Testing

@Suite struct SHA256Tests {
  /// FIPS 180-4's examples, and NIST's long ones.
  static let vectors: [(String, repeated: Int, String)] = [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test(arguments: vectors) func vector(_ text: String, _ repeated: Int, _ digest: String) {
    var hash = SHA256()
    for _ in 0..<repeated { hash.update(Array(text.utf8)) }
    #expect(hash.hexadecimalDigest() == digest)
    var atOnce = SHA256()
    atOnce.update((0..<repeated).flatMap { _ in Array(text.utf8) })
    #expect(atOnce.digest() == hash.digest())
  }

  /// The padding changes its shape around block ends; pieces of any size give what the whole gives.
  @Test func piecesGiveTheSame() {
    var random = SeededGenerator(for: "SHA-256 pieces")
    let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    var digests: Set<[UInt8]> = []
    for count in 0...bytes.count {
      var whole = SHA256()
      whole.update(Array(bytes[..<count]))
      var pieces = SHA256()
      var start = 0
      while start < count {
        let end = min(count, start + Int.random(in: 0...80, using: &random))
        pieces.update(Array(bytes[start..<end]))
        _ = pieces.digest()
        start = end
      }
      #expect(pieces.digest() == whole.digest())
      digests.insert(whole.digest())
    }
    #expect(digests.count == bytes.count + 1)
  }
}
