import BenchmarkKit
import Engines

/// All that is asked of a loaded chat, in the order in which it has to run: reads see the chat as it was loaded, writes
/// change it.
public func workloads(for data: LoadedDataset) throws -> [Workload] {
  try seeds(data) + pages(data) + counts(data) + identifiers(data) + scans(data) + inserts(data)
    + changes(data)
}
