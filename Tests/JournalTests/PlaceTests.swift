import Journal
import StoreFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The directory in which a journal lies: which file is which, and in which start of the machine.
struct PlaceTests {
  @Test func aFileIsKnownWhateverItsNameLeadsTo() throws {
    let scratch = try Scratch()
    let place = SystemPlace(scratch.path)
    #expect(try JournalName.allCases.map { try place.identity(of: $0) } == [nil, nil])
    #expect(!place.exists(.journal))
    let file = try place.openJournal(.creating)
    _ = try place.openHead(.creating)
    let (first, head) = (try place.identity(of: .journal), try place.identity(of: .head))
    #expect(try first == file.identity() && first != nil && head != nil && head != first)
    // A second name is none of its own.
    #expect(link(place.path(of: .journal), scratch.file("other")) == 0)
    #expect(try place.identity(of: .journal) == first)
    #expect(unlink(place.path(of: .journal)) == 0)
    #expect(try place.identity(of: .journal) == nil)
    try write([1], to: place.path(of: .journal))
    #expect(try place.identity(of: .journal) != first)
    #expect(try file.identity() == first)
  }

  @Test func aStartOfTheMachineIsAUUID() throws {
    let text = "0123456789ABCDEF-fedc-ba98-7654-3210\n"
    #expect(
      BootIdentity(text: text.utf8)
        == BootIdentity(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210))
    #expect(BootIdentity(text: text.dropLast(3).utf8) == nil)
    #expect(BootIdentity(text: "0\(text)".utf8) == nil)
    #if os(Linux)
      let isTold = access("/proc/sys/kernel/random/boot_id", R_OK) == 0
      #expect((SystemPlace(".").boot != nil) == isTold)
    #endif
  }
}
