//! Events of Arm's meshes.

/// What an event does that names a node in vain (`Resolved::ignores_node`).
pub(crate) const WHOLE_MESH: &str =
    "it counts the whole mesh: without `bynodeid=1`, the driver ignores `nodeid`";
