internal import CSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The blocks of the disk that an open file has.
package struct FileBlocks {
  package let file: Int32

  package init(file: Int32) { self.file = file }

  /// What became of a wish.
  package enum Outcome: Equatable {
    case done
    /// The disk or a limit does not give it.
    case noRoom
    /// The file system cannot do that.
    case unsupported
  }

  /// How many bytes of blocks the file has, and how long it is; nil if the system does not tell.
  package var size: (blocks: Int, file: Int)? {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { return nil }
    return (Int(status.st_blocks) * 512, Int(status.st_size))
  }

  /// Gives the file blocks for all these bytes, which keep what they are; and the file its length.
  package func take(_ bytes: Range<Int>) -> Outcome {
    #if canImport(Darwin)
      // What Apple's file system reserves is no promise: it copies blocks that it changes.
      return .unsupported
    #else
      return Self.outcome { fallocate(file, Self.keepsSize, off_t(bytes.lowerBound), off_t(bytes.count)) }
    #endif
  }

  /// Takes away the blocks of these bytes, which are zeros then. The file keeps its length.
  package func giveBack(_ bytes: Range<Int>) -> Outcome {
    #if canImport(Darwin)
      var hole = fpunchhole_t()
      hole.fp_offset = off_t(bytes.lowerBound)
      hole.fp_length = off_t(bytes.count)
      return Self.outcome { unsafe fcntl(file, F_PUNCHHOLE, &hole) }
    #else
      return Self.outcome {
        fallocate(file, Self.punchesHole | Self.keepsSize, off_t(bytes.lowerBound), off_t(bytes.count))
      }
    #endif
  }

  /// Takes away the blocks behind the end of the file. Returns whether that was done. Nobody may make the file longer meanwhile.
  @discardableResult
  package func giveBackBehindEnd() -> Bool {
    // A file gives up what is behind its end when it is told its length.
    size.map { ftruncate(file, off_t($0.file)) == 0 } ?? false
  }

  /// Whether something was written to these bytes that has blocks still. Blocks that were taken and not written to do not count. Moves the
  /// position of the file: only for whoever has LMDB's write transaction, which sets it before each write.
  package func hasData(in bytes: Range<Int>) -> Bool {
    let next = lseek(file, off_t(bytes.lowerBound), Self.seekData)
    if next >= 0 { return next < off_t(bytes.upperBound) }
    // Behind the last data, or the file's end. Otherwise the system cannot tell.
    return errno != ENXIO
  }

  private static func outcome(_ call: () -> Int32) -> Outcome {
    while call() != 0 {
      switch errno {
      case EINTR: continue
      case ENOSPC, EDQUOT, EFBIG: return .noRoom
      default: return .unsupported
      }
    }
    return .done
  }

  #if canImport(Darwin)
    private static let seekData: Int32 = 4
  #else
    /// The values of `FALLOC_FL_KEEP_SIZE`, `FALLOC_FL_PUNCH_HOLE` and `SEEK_DATA`.
    private static let keepsSize: Int32 = 1
    private static let punchesHole: Int32 = 2
    private static let seekData: Int32 = 3
  #endif
}
