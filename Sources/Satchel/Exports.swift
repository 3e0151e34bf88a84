// What an embedding program names: the objects, their values and errors, and the queries for them.
@_exported import SatchelModel
@_exported import SatchelQuery
