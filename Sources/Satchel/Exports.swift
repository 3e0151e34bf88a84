// What an embedding program names: the objects, their values and errors, the queries for them, and their controllers.
@_exported import SatchelLive
@_exported import SatchelModel
@_exported import SatchelQuery
