//! Arm's meshes: our events against those of the kernel's drivers, of Linux 6.12
//! and 7.3.
//!
//! The parts of `drivers/perf/arm-cmn.c` that say what is in sysfs and which
//! events are accepted are cut out
//! of each kernel tree, compiled outside the kernel (`cmn/driver.c` has what
//! they need) and asked what they would export on each product, in each
//! revision.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use pmu_events::builtin;
use pmu_events::cmn::{
    Channel, Direction, Identity, LinkChannel, Match, MatchGroup, MeshEvent, MeshSize, NodeId,
    NodeLocation, NodeType, PortLayout, Product, Watchpoint, check_group, named,
};
use pmu_events::config;
use pmu_events::format::Format;
use pmu_events::term::Terms;
use pmu_events_kernel_comparison::{kernel_arch, kernel_root, newest_root};

#[allow(dead_code)]
#[path = "../../machines/mod.rs"]
mod machines;

/// Texts of the driver: from the first up to the second.
type Cut = (&'static str, &'static str);

/// What is cut out of the driver before its structures.
const CONSTANTS: &[Cut] = &[
    ("#define CMN_MAX_DIMENSION", "/* The CFG node"),
    ("#define CMN_DTM_NUM_COUNTERS", "/* Want more"),
    ("#define CMN_DT_NUM_COUNTERS", "/*\n * Even in"),
    ("#define CMN_CONFIG_TYPE\t", "/* Internal values"),
    ("enum cmn_model {", "struct arm_cmn_node {"),
];

/// What is cut out of the driver behind its structures.
const FUNCTIONS: &[Cut] = &[
    ("static int arm_cmn_xyidbits", "static struct arm_cmn_node *arm_cmn_node_to_xp"),
    ("static struct arm_cmn_node *arm_cmn_node(", "static int arm_cmn_pmu_offset"),
    ("struct arm_cmn_hw_event {", "static const struct attribute_group arm_cmn_event_attrs_group"),
    (
        "static ssize_t arm_cmn_format_show",
        "static const struct attribute_group arm_cmn_format_attrs_group",
    ),
    ("struct arm_cmn_val {", "static void arm_cmn_event_clear"),
];

/// The driver of a kernel, compiled.
struct Driver {
    version: &'static str,
    program: PathBuf,
}

impl Driver {
    /// Those that are compared, the older one first.
    fn all() -> &'static [Driver; 2] {
        static DRIVERS: OnceLock<[Driver; 2]> = OnceLock::new();
        DRIVERS.get_or_init(|| {
            [Driver::compile("6.12", &kernel_root()), Driver::compile("7.3", &newest_root())]
        })
    }

    fn old() -> &'static Driver {
        &Self::all()[0]
    }

    fn new() -> &'static Driver {
        &Self::all()[1]
    }

    fn is_old(&self) -> bool {
        self.version == "6.12"
    }

    fn compile(version: &'static str, kernel: &Path) -> Driver {
        let path = kernel.join("drivers/perf/arm-cmn.c");
        let source =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let cut = |(from, to): &Cut| {
            let start = source.find(from).unwrap_or_else(|| panic!("no `{from}`"));
            let len = source[start..].find(to).unwrap_or_else(|| panic!("no `{to}`"));
            &source[start..start + len]
        };
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cmn").join(version);
        fs::create_dir_all(&scratch).expect("the scratch directory can be written");
        for (file, cuts) in [("constants.inc", CONSTANTS), ("functions.inc", FUNCTIONS)] {
            let parts: Vec<&str> = cuts.iter().map(cut).collect();
            fs::write(scratch.join(file), parts.join("\n")).expect("it can be written");
        }
        let program = scratch.join("driver");
        // Warnings are the kernel's business.
        let compiled = Command::new("gcc")
            .args(["-w", "-std=gnu11", "-I"])
            .arg(&scratch)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("cmn/driver.c"))
            .arg("-o")
            .arg(&program)
            .output()
            .expect("gcc is installed");
        let errors = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{version}: {errors}");
        Driver { version, program }
    }

    fn run(&self, arguments: &[String]) -> String {
        let output = Command::new(&self.program).args(arguments).output();
        let output = output.expect("it was compiled");
        assert!(output.status.success(), "{arguments:?}: {}", output.status);
        String::from_utf8(output.stdout).expect("it prints text")
    }

    /// The products and revisions that it may meet. The older one takes every CMN S3
    /// for one before r2.
    fn identities(&self) -> Vec<Identity> {
        let mut parts: Vec<_> = Product::ALL.iter().copied().map(Product::part).collect();
        parts.dedup();
        let revisions = |part| (0..8).map(move |revision| (part, revision));
        let identity = |(part, revision)| match Product::of_part(part) {
            Some(product) if self.is_old() => Identity { product, revision },
            _ => Identity::new(part, revision).expect("the part is known"),
        };
        parts.into_iter().flat_map(revisions).map(identity).collect()
    }

    /// Whether it has a name that is among ours.
    fn has(&self, name: &str) -> bool {
        let of = |names: [&str; 2]| names.iter().any(|one| name.starts_with(one));
        const HAZARDS: [&str; 2] = ["hns_pocq_addrhaz", "hns_pocq_atomic_addrhaz"];
        let is_hazard = of(HAZARDS);
        !is_hazard || HAZARDS.contains(&name) == self.is_old()
    }
}

/// The types of nodes that a product may have. Drivers name some events of HN-S for
/// all products, and each driver others, but only newer ones have such nodes.
fn node_types(product: Product) -> Vec<NodeType> {
    let has_hns = matches!(product, Product::Cmn700 | Product::CmnS3 | Product::CmnS3R2);
    NodeType::ALL.iter().copied().filter(|&node| node != NodeType::HnS || has_hns).collect()
}

/// The text of an event's file as the older driver writes it: the newer one has
/// another name for the only filter, and takes both.
fn as_before(text: &str) -> String {
    if text.contains("filter2=") { text.into() } else { text.replace("filter=", "occupid=") }
}

/// A made-up mesh.
struct Mesh<'a> {
    identity: Identity,
    /// Its ports in use, as bits.
    ports: u8,
    /// How many channels there are for responses, data, snoops and requests.
    channels: [u8; 4],
    nodes: &'a [NodeType],
}

impl Mesh<'_> {
    /// What a driver exports on it: names and texts, in its order.
    fn events(&self, driver: &Driver) -> Vec<(String, String)> {
        let numbers = [self.identity.product.part(), self.identity.revision.into()];
        let ports = [self.ports].into_iter().chain(self.channels).map(u16::from);
        let nodes = self.nodes.iter().map(|node| node.code());
        let numbers = numbers.into_iter().chain(ports).chain(nodes);
        let mut arguments = vec![String::from("events")];
        arguments.extend(numbers.map(|number| number.to_string()));
        let lines = driver.run(&arguments);
        let pairs = lines.lines().map(|line| line.split_once('\t').expect("name and text"));
        pairs.map(|(name, text)| (name.into(), text.into())).collect()
    }
}

#[test]
fn every_event_of_every_product_and_revision() {
    let mut seen = BTreeSet::new();
    let mut counts = BTreeMap::new();
    for driver in Driver::all() {
        let mut of_driver = BTreeSet::new();
        for identity in driver.identities() {
            let product = identity.product;
            let ports = u8::try_from((1_u16 << product.max_ports()) - 1).unwrap();
            let mesh = Mesh { identity, ports, channels: [2; 4], nodes: &node_types(product) };
            let theirs = mesh.events(driver);
            let ours: BTreeMap<String, String> = named::all()
                .filter(|named| named.exists_on(identity) && driver.has(&named.to_string()))
                .map(|named| (named.to_string(), named.event_string().to_string()))
                .collect();
            let theirs_by_name: BTreeMap<_, _> =
                theirs.iter().map(|(name, text)| (name.clone(), as_before(text))).collect();
            assert_eq!(theirs_by_name.len(), theirs.len(), "{identity}: a name stands twice");
            assert_eq!(ours, theirs_by_name, "{identity}, Linux {}", driver.version);
            counts.insert((driver.version, product, identity.revision), ours.len());
            for (name, text) in theirs {
                same_words(&name, &text, product);
                of_driver.insert((name, as_before(&text)));
            }
        }
        println!("Linux {}: {} events", driver.version, of_driver.len());
        seen.extend(of_driver);
    }
    // None of ours is never there.
    let ours: BTreeSet<_> =
        named::all().map(|named| (named.to_string(), named.event_string().to_string())).collect();
    assert_eq!(seen, ours);
    assert_eq!(counts[&("6.12", Product::Cmn700, 3)], 577);
    println!("{counts:?}");
}

/// A name, the driver's text for it, and the typed event give the same words.
fn same_words(name: &str, text: &str, product: Product) {
    let found = named::find_on(name, product).unwrap_or_else(|| panic!("{name} on {product}"));
    let Some(event) = found.event() else {
        assert!(found.watchpoint().is_some(), "{name}");
        return;
    };
    let of_text = config::encode(Terms::new(text), builtin::ARM_CMN);
    assert_eq!(of_text.map(|encoded| encoded.words()), Ok(event.words()), "{name}");
    assert_eq!(MeshEvent::parse(text), Ok(event), "{name}");
    if named::find(name) == Some(found) {
        assert_eq!(MeshEvent::parse(name), Ok(event), "{name}");
    }
    let again = named::of(&event, product);
    assert_eq!(again.and_then(named::Named::event), Some(event), "{name}");
    if Driver::new().has(name) {
        assert_eq!(again, Some(found), "{name}");
    }
}

#[test]
fn events_that_a_mesh_lacks() {
    // What a mesh has besides its product is in sysfs alone: the driver hides
    // events of nodes, ports and channels that are not there, and no others.
    let identity = Identity { product: Product::Cmn700, revision: 3 };
    let all = Mesh { identity, ports: 0xf, channels: [2; 4], nodes: NodeType::ALL };
    let nodes = [NodeType::Dtc, NodeType::HnF, NodeType::Xp];
    let few = Mesh { identity, ports: 0x1, channels: [1, 2, 1, 1], nodes: &nodes };
    let is_there = |name: &str| match named::find(name).and_then(|named| named.event()) {
        Some(MeshEvent::Node(event)) => match event.crosspoint() {
            Some(crosspoint) => {
                let missing = [LinkChannel::Rsp2, LinkChannel::Snp2, LinkChannel::Req2];
                !missing.contains(&crosspoint.channel())
                    && crosspoint.interface().port().is_none_or(|port| port == 0)
            }
            None => nodes.contains(&event.node()),
        },
        _ => true,
    };
    for driver in Driver::all() {
        let mut expected = all.events(driver);
        expected.retain(|(name, _)| is_there(name));
        assert_eq!(few.events(driver), expected, "Linux {}", driver.version);
    }
}

#[test]
fn formats() {
    for driver in Driver::all() {
        let lines = driver.run(&[String::from("formats")]);
        let theirs: BTreeMap<_, _> = lines
            .lines()
            .map(|line| line.split_once('\t').expect("name and bits"))
            .map(|(name, bits)| (name, Format::parse(bits).expect("the driver's")))
            .collect();
        let is_known = |term: &str| !driver.is_old() || !matches!(term, "filter" | "filter2");
        let ours = builtin::ARM_CMN.as_slice().iter().copied();
        let ours: BTreeMap<_, _> = ours.filter(|(term, _)| is_known(term)).collect();
        assert_eq!(theirs, ours, "Linux {}", driver.version);
    }
}

#[test]
fn node_ids() {
    let max = MeshSize::MAX_DIMENSION;
    let sizes = (1..=max).flat_map(|columns| (1..=max).map(move |rows| (columns, rows)));
    for (columns, rows) in sizes {
        for driver in Driver::all() {
            let arguments = [String::from("bits"), columns.to_string(), rows.to_string()];
            let bits: u8 = driver.run(&arguments).trim().parse().expect("a number");
            let size = MeshSize::new(columns, rows).unwrap();
            // Where both are at most two the driver has less than the hardware.
            if columns.max(rows) > 2 {
                assert_eq!(size.coordinate_bits(), bits, "{columns} × {rows}");
            } else {
                assert_eq!(size.coordinate_bits(), 2);
                assert_eq!(size.with_coordinate_bits(bits).unwrap().coordinate_bits(), bits);
            }
        }
    }
    let (single, large) = (MeshSize::new(1, 1).unwrap(), MeshSize::new(max, max).unwrap());
    for (size, layout, port_bits, device_bits) in [
        (single, PortLayout::Single, 3, 2),
        (large, PortLayout::Two, 1, 2),
        (large, PortLayout::Four, 2, 1),
    ] {
        for port in 0..=layout.max_port() {
            for device in 0..=layout.max_device() {
                let (x, y) = (size.columns() - 1, size.rows() - 1);
                let id: NodeId = size.node_id(layout, NodeLocation { x, y, port, device }).unwrap();
                let numbers = [id.get(), port_bits, device_bits].map(|number| number.to_string());
                let mut arguments = vec![String::from("device")];
                arguments.extend(numbers);
                for driver in Driver::all() {
                    assert_eq!(driver.run(&arguments), format!("{port} {device}\n"), "{id}");
                }
            }
        }
    }
}

/// The made-up machines of our own tests have what the drivers would export.
#[test]
fn machines_with_meshes() {
    use NodeType::{Ccha, Ccla, Ccra, Dn, Dtc, HnF, HnI, HnP, HnS, RnI, Sbsx, Xp};
    let mesh = |product, revision, ports, channels, nodes| {
        let identity = Identity { product, revision };
        Mesh { identity, ports, channels, nodes }
    };
    let all: &[NodeType] = &[Dn, Dtc, HnI, HnF, Xp, Sbsx, RnI, HnP, Ccra, Ccha, Ccla];
    let few: &[NodeType] = &[Dn, Dtc, HnI, HnF, Xp, RnI];
    let of_s3: &[NodeType] = &[Dn, Dtc, HnI, HnS, Xp, RnI];
    same_files(
        include_str!("../../machines/two-meshes.txt"),
        Driver::old(),
        &[
            mesh(Product::Cmn700, 3, 0xf, [2, 2, 1, 1], all),
            mesh(Product::Cmn700, 1, 0x3, [1; 4], few),
        ],
    );
    same_files(
        include_str!("../../machines/newer-meshes.txt"),
        Driver::new(),
        &[
            mesh(Product::CmnS3R2, 3, 0x3, [1; 4], of_s3),
            mesh(Product::Cmn700, 1, 0x3, [1; 4], few),
        ],
    );
}

fn same_files(machine: &str, driver: &Driver, meshes: &[Mesh<'_>]) {
    for (number, mesh) in meshes.iter().enumerate() {
        let files = |directory: &str| -> BTreeMap<String, String> {
            let prefix = format!("arm_cmn_{number}/{directory}");
            let lines = machine.lines().filter_map(|line| line.strip_prefix(&prefix));
            let pairs = lines.filter_map(|line| line.split_once('\t'));
            pairs.map(|(name, text)| (name.into(), text.into())).collect()
        };
        assert_eq!(files("events/"), mesh.events(driver).into_iter().collect(), "arm_cmn_{number}");
        let formats = driver.run(&[String::from("formats")]);
        let formats = formats.lines().filter_map(|line| line.split_once('\t'));
        let formats = formats.map(|(name, text)| (name.into(), text.into()));
        assert_eq!(files("format/"), formats.collect(), "arm_cmn_{number}");
        assert_eq!(files("identifier")[""], mesh.identity.to_string());
    }
}

/// Events of the kernel's sys table: the same words by the table, by the driver
/// and by the types.
#[test]
fn the_sys_table() {
    let tree = kernel_arch("arm64").tree;
    let mut compared = 0;
    for identifier in ["43403", "43602", "43c02", "43a01"] {
        let identity = Identity::parse(identifier).unwrap();
        for event in tree.sys_events("arm_cmn_0", identifier) {
            let words = event.encode(builtin::ARM_CMN).expect("it is a mesh's").words();
            let named = named::find(event.name());
            let named = named.unwrap_or_else(|| panic!("the driver lacks {}", event.name()));
            assert!(named.exists_on(identity), "{} on {identifier}", event.name());
            assert_eq!(named.event().map(|event| event.words()), Some(words), "{}", event.name());
            assert_eq!(
                MeshEvent::parse(event.event_string()).map(|event| event.words()),
                Ok(words)
            );
            assert_eq!(MeshEvent::decode(words).ok(), named.event());
            compared += 1;
        }
    }
    assert!(compared > 0);
    println!("{compared} events of the sys table");
}

/// A node of a made-up mesh: its type, its id, the crosspoint that counts for
/// it and the DTC of that, which CMN-600 does not say (-1).
type Node = (NodeType, u16, u16, i8);

/// A mesh of 4 × 2 crosspoints with two ports, its nodes by type. `home` are the nodes
/// with a cache.
fn nodes(home: NodeType, dtc: fn(u16) -> i8) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut add = |node, places: &[(u16, u16)]| {
        for &(crosspoint, device) in places {
            // Crosspoints are numbered by rows, their ids by columns.
            let (x, y) = (crosspoint % 4, crosspoint / 4);
            let id = x << 5 | y << 3 | device;
            nodes.push((node, id, crosspoint, dtc(crosspoint)));
        }
    };
    add(NodeType::Dn, &[(1, 4)]);
    add(NodeType::Dtc, &[(0, 1)]);
    add(NodeType::HnI, &[(1, 4), (6, 4)]);
    // One of a type at each crosspoint: of two the driver takes four counters to
    // be five, accepts the group, and never lets it count.
    add(home, &[(0, 0), (2, 0), (3, 4), (5, 0)]);
    add(NodeType::Xp, &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)]);
    add(NodeType::RnI, &[(4, 4), (7, 0)]);
    add(NodeType::HnP, &[(6, 4)]);
    nodes
}

/// Numbers that look random and are the same each time (SplitMix64).
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 32) as usize
}

/// An event of the mesh, often one that gets in the way of others.
fn random_event(state: &mut u64, nodes: &[Node], events: &[MeshEvent]) -> MeshEvent {
    let mut below = |limit: usize| random(state) % limit;
    let crosspoints: Vec<_> = nodes.iter().filter(|node| node.0 == NodeType::Xp).collect();
    match below(32) {
        0 => MeshEvent::Cycles,
        1..=6 => {
            let direction = [Direction::Up, Direction::Down][below(2)];
            let matching = Match::all(Channel::Req, MatchGroup::ALL[below(2)]);
            let watchpoint = Watchpoint::new(direction, below(2) as u8, matching).unwrap();
            let watchpoint = watchpoint.with_combine(below(2) as u8).unwrap();
            match below(3) {
                0 => watchpoint.into(),
                _ => {
                    let id = NodeId::new(crosspoints[below(crosspoints.len())].1);
                    watchpoint.at(id).unwrap().into()
                }
            }
        }
        _ => {
            let MeshEvent::Node(event) = events[below(events.len())] else {
                return MeshEvent::Cycles;
            };
            let places: Vec<_> = nodes.iter().filter(|node| node.0 == event.node()).collect();
            match below(2) {
                0 => event.into(),
                _ => event.at(NodeId::new(places[below(places.len())].1)).unwrap().into(),
            }
        }
    }
}

/// What we refuse as a group the driver refuses, too, at that event or before.
#[test]
fn groups() {
    let two_dtcs = |crosspoint: u16| i8::from(crosspoint % 4 >= 2);
    use NodeType::{HnF, HnS};
    let meshes = [
        (Product::Cmn700, 1, nodes(HnF, |_| 0)),
        (Product::Cmn700, 2, nodes(HnF, two_dtcs)),
        (Product::Cmn650, 1, nodes(HnF, |_| 0)),
        (Product::Cmn600, 1, nodes(HnF, |_| -1)),
        (Product::Cmn600, 2, nodes(HnF, |_| -1)),
        (Product::CmnS3R2, 1, nodes(HnS, |_| 0)),
    ];
    let drivers = Driver::all().iter();
    for (driver, (product, dtcs, nodes)) in
        drivers.flat_map(|driver| meshes.clone().into_iter().map(move |mesh| (driver, mesh)))
    {
        if driver.is_old() && product == Product::CmnS3R2 {
            continue;
        }
        let has = |named: &named::Named| match named.event() {
            Some(MeshEvent::Node(event)) => nodes.iter().any(|node| node.0 == event.node()),
            _ => false,
        };
        let on_mesh = |named: &named::Named| named.products().contains(product) && has(named);
        let all: Vec<MeshEvent> =
            named::all().filter(on_mesh).filter_map(|it| it.event()).collect();
        // Those that are filtered are few, and many for this.
        let filtered = named::all().filter(|named| on_mesh(named) && named.filter().is_some());
        let mut events: Vec<MeshEvent> = filtered.filter_map(|named| named.event()).collect();
        let mut state = 1;
        let others = (0..12 * events.len()).map(|_| all[random(&mut state) % all.len()]);
        events.extend(others.collect::<Vec<_>>());

        let mut groups: Vec<Vec<MeshEvent>> = all.iter().map(|&event| vec![event]).collect();
        for _ in 0..15_000 {
            let len = 2 + random(&mut state) % 16;
            groups.push((0..len).map(|_| random_event(&mut state, &nodes, &events)).collect());
        }
        let accepted = accepted(driver, product, dtcs, &nodes, &groups);
        assert_eq!(accepted.len(), groups.len());
        let mut rules = BTreeMap::new();
        let (mut refused, mut foreseen) = (0, 0);
        for (group, accepted) in groups.iter().zip(accepted) {
            let label = || group.iter().map(|event| format!("\n  {event}")).collect::<String>();
            if group.len() == 1 {
                assert_eq!(accepted, 1, "{}", label());
            }
            let found = check_group(group, Some(product));
            if accepted < group.len() {
                refused += 1;
                foreseen += usize::from(found.is_err());
            }
            if let Err(error) = found {
                assert!(
                    accepted <= error.event(),
                    "{product} accepts {accepted}: {error}{}",
                    label()
                );
                *rules.entry(format!("{:?}", error.kind())).or_insert(0) += 1;
            }
        }
        println!(
            "{}, {product}, {dtcs} DTCs: {refused} refused, {foreseen} foreseen: {rules:?}",
            driver.version
        );
        // Each of our rules was needed.
        assert_eq!(rules.len(), 6, "{rules:?}");
    }
}

/// How many events of each group the driver accepts.
fn accepted(
    driver: &Driver,
    product: Product,
    dtcs: u32,
    nodes: &[Node],
    groups: &[Vec<MeshEvent>],
) -> Vec<usize> {
    let revision = if product == Product::CmnS3R2 { 3 } else { 0 };
    let numbers = [product.part().into(), revision, dtcs].map(|number| number.to_string());
    let mut arguments = vec![String::from("groups")];
    arguments.extend(numbers);
    for (node, id, crosspoint, dtc) in nodes {
        let numbers = [node.code(), *id, *crosspoint].map(|number| number.to_string());
        arguments.extend(numbers);
        arguments.push(dtc.to_string());
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("groups-{}-{product}-{dtcs}", driver.version));
    let line = |group: &Vec<MeshEvent>| {
        let words = group.iter().flat_map(|event| event.words().iter().take(3));
        words.map(|(_, word)| format!("{word:#x} ")).collect::<String>() + "\n"
    };
    fs::write(&scratch, groups.iter().map(line).collect::<String>()).expect("it can be written");
    let output = Command::new(&driver.program)
        .args(&arguments)
        .stdin(fs::File::open(&scratch).expect("it was written"))
        .output()
        .expect("it was compiled");
    assert!(output.status.success(), "{}", output.status);
    let lines = String::from_utf8(output.stdout).expect("it prints numbers");
    lines.lines().map(|line| line.parse().expect("a number")).collect()
}
