use super::node_id::NodeId;

/// The nodes of its type that an event counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeSelection {
    /// All nodes of the mesh, summed.
    #[default]
    Mesh,
    /// The node with this ID (`bynodeid=1` and `nodeid`).
    Node(NodeId),
}
