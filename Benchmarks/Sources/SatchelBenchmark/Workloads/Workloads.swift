import BenchmarkKit
import Engines

/// All that is asked of a loaded chat, in the order in which it has to run: reads see the chat as it was loaded, writes
/// change it.
public func workloads(for data: LoadedDataset) throws -> [Workload] {
  let custom = CustomStores(of: data)
  let declared = DeclaredStores(of: data, named: "declared")
  let todos = TodoStores(of: data)
  let talk = TalkStores(of: data)
  let searched = SearchStores(of: data, named: "searched")
  return try reads(of: data)
    + (data.n == nil
      ? []
      : customReads(data, custom) + customInserts(data, custom) + declaredReads(data, declared)
        + recordReads(data, todos) + talkReads(data, talk))
    + searches(data, searched)
    + writes(to: data)
}

func reads(of data: LoadedDataset) throws -> [Workload] {
  try seeds(data) + pages(data) + senders(data) + codables(data) + counts(data) + identifiers(data)
    + scans(data) + days(data)
}

func writes(to data: LoadedDataset) throws -> [Workload] {
  try inserts(data) + syncFloor(data) + insertsWithSameIndexes(data) + relaxedInserts(data)
    + concurrentInserts(data) + liveInserts(data) + lives(data) + changes(data)
}
