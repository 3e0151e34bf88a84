internal import CLMDB

extension MDB_val {
  /// The bytes as LMDB takes keys and values, which it only reads. They have to exist as long as this does.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }
}
