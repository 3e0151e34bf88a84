// Re-exports the names that an embedding program uses: the objects, their values and errors, queries, what is searched for, commits, and controllers.
@_exported import SatchelFeed
@_exported import SatchelLive
@_exported import SatchelModel
@_exported import SatchelQuery
@_exported import SatchelRecords
@_exported import SatchelSearch
