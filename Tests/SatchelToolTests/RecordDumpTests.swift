import Testing

/// `dump` of records and their types.
@Suite struct RecordDumpTests {
  @Test func dumpFindsRecordsByTypeAndName() throws {
    let directory = try Tool.Directory()
    let store = try SampleRecords.make(in: directory)
    let found = try Tool.run("dump", store, "records", "--key", "todo/write")
    #expect(found.lines.count == 1 && found.output.contains("Write"), "\(found)")
    // Every key that is printed finds its record as well.
    let key = try #require(try InspectionTests.object(found.output)["key"] as? String)
    #expect(try Tool.run("dump", store, "records", "--key", key).output == found.output)
    #expect(try Tool.run("dump", store, "recordTypes", "--key", "todo").lines.count == 1)
    for wrong in ["write", "todo/none", "none/write", "9/9"] {
      let result = try Tool.run("dump", store, "records", "--key", wrong)
      #expect(result.status == 1 && result.output == "", "\(result)")
      #expect(
        result.errors.hasPrefix(
          "satchel: there is nothing under the key \"\(wrong)\": the key of a record is its type and its name, such as todo/write, "
        ), "\(result.errors)")
    }
    let help = try Tool.run("help", "dump").output.split { $0.isWhitespace }.joined(separator: " ")
    #expect(help.contains("such as todo/write"), "\(help)")
    for table in ["deletions", "indexBuild", "indexes", "recordTypes", "records"] {
      #expect(help.contains(" \(table),"), "\(table): \(help)")
    }
  }
}
