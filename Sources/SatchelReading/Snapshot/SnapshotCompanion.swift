/// What the reading layers above keep for a store. Each snapshot carries a reference to it; this layer does not look
/// inside.
package protocol SnapshotCompanion: AnyObject, Sendable {}
