internal import CLMDB
internal import LMDBPages

extension DatabaseStatistics {
  init(_ numbers: MDB_stat) {
    self.init(
      entries: numbers.ms_entries, depth: Int(numbers.ms_depth), branchPages: numbers.ms_branch_pages,
      leafPages: numbers.ms_leaf_pages, overflowPages: numbers.ms_overflow_pages)
  }
}
