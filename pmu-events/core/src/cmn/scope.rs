use super::node_id::NodeId;

/// Which nodes an event counts: those of its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeSelection {
    /// All of the mesh, summed.
    #[default]
    Mesh,
    /// The one of an id (`bynodeid=1` and `nodeid`).
    Node(NodeId),
}
