internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The descriptors of this process's locks, which a forked child closes before it does anything else.
///
/// A child may only do what a signal handler may: it reads numbers and closes files. A lock that another thread is just
/// opening during a fork may be missed: its descriptor is then closed when the child ends or runs another program.
package enum LockDescriptors {
  /// Numbers that live as long as the process; -1 where there is none.
  @safe private struct Table: @unchecked Sendable {
    let numbers: UnsafeMutableBufferPointer<Atomic<Int32>>
  }

  private static let table: Table = {
    let numbers = UnsafeMutableBufferPointer<Atomic<Int32>>.allocate(capacity: 4096)
    for index in numbers.indices { unsafe numbers.initializeElement(at: index, to: Atomic(-1)) }
    return unsafe Table(numbers: numbers)
  }()
  private static let handler: Int32 = pthread_atfork(nil, nil, { LockDescriptors.closeAll() })

  /// Keeps a descriptor. Returns false if there are too many.
  package static func add(_ file: Int32) -> Bool {
    let table = table
    guard handler == 0 else { return false }
    return unsafe table.numbers.indices.contains { index in
      unsafe table.numbers[index].compareExchange(
        expected: -1, desired: file, ordering: .sequentiallyConsistent
      )
      .exchanged
    }
  }

  /// Forgets a descriptor that is about to be closed.
  package static func remove(_ file: Int32) {
    let table = table
    _ = unsafe table.numbers.indices.contains { index in
      unsafe table.numbers[index].compareExchange(
        expected: file, desired: -1, ordering: .sequentiallyConsistent
      )
      .exchanged
    }
  }

  private static func closeAll() {
    let table = table
    for index in unsafe table.numbers.indices {
      let file = unsafe table.numbers[index].exchange(-1, ordering: .relaxed)
      if file >= 0 { close(file) }
    }
  }
}
