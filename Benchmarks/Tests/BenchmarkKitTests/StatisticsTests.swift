import BenchmarkKit
import Testing

@Suite struct StatisticsTests {
  @Test func quartilesLieBetweenTheirNeighbours() throws {
    let statistics = try #require(Statistics([4, 1, 3, 2]))
    #expect(statistics.median == 2.5)
    #expect(statistics.lowerQuartile == 1.75)
    #expect(statistics.upperQuartile == 3.25)
    #expect(statistics.minimum == 1)
    #expect(statistics.maximum == 4)
    #expect(statistics.count == 4)
  }

  @Test func oneMeasurementIsAllOfItsStatistics() throws {
    let statistics = try #require(Statistics([7]))
    #expect(statistics.median == 7)
    #expect(statistics.lowerQuartile == 7)
    #expect(statistics.maximum == 7)
  }

  @Test func nothingHasNoStatistics() {
    #expect(Statistics([]) == nil)
  }

  @Test func geometricMeansAreOfPositiveNumbers() throws {
    let mean = try #require(geometricMean([1, 100]))
    #expect(abs(mean - 10) < 1e-9)
    #expect(geometricMean([]) == nil)
    #expect(geometricMean([1, 0]) == nil)
  }
}
