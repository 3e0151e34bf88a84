import BenchmarkKit
import Engines

/// All that is asked of a loaded chat, in the order in which it has to run: reads see the chat as it was loaded, writes
/// change it.
public func workloads(for data: LoadedDataset) throws -> [Workload] {
  try reads(of: data) + writes(to: data)
}

func reads(of data: LoadedDataset) throws -> [Workload] {
  try seeds(data) + pages(data) + senders(data) + codables(data) + counts(data) + identifiers(data)
    + scans(data)
}

func writes(to data: LoadedDataset) throws -> [Workload] {
  try inserts(data) + syncFloor(data) + insertsWithSameIndexes(data) + relaxedInserts(data)
    + concurrentInserts(data) + liveInserts(data) + lives(data) + changes(data)
}
