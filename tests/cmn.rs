//! Arm's meshes on made-up systems that have two of different size, word for
//! word.
//!
//! `machines/two-meshes.txt` has what the driver of Linux 6.12 would export for a
//! CMN-700 r3p0 with four ports on some crosspoints and second channels, and
//! for a smaller one of r1p0 without; `machines/newer-meshes.txt` what that of Linux
//! 7.3 would for a CMN S3 r2p0 and the same smaller one. `tests/kernel` holds them
//! against the drivers.

use pmu_events::System;
use pmu_events::cmn::{
    Channel, Direction, Field, Identity, Match, MatchGroup, Mesh, MeshEvent, MeshRequest,
    MeshRequestErrorKind, MeshSelection, MeshSize, Meshes, NodeEvent, NodeLocation, NodeSelection,
    NodeType, PortLayout, Product, Watchpoint, named,
};

#[allow(dead_code)]
mod machines;

use machines::Machine;
use pmu_events::arch::arm64;
use pmu_events::format::{Word, Words};

/// The type of each mesh's PMU and the CPU that reads it.
const PMUS: [(u32, &str); 2] = [(20, "16"), (21, "64")];

fn mesh(meshes: &Meshes<'_>, number: u32) -> u32 {
    meshes.get(number).expect("there is one").number()
}

#[test]
fn discovery() {
    let machine = Machine::named("two-meshes");
    // Numbers are no digits of a name, and some PMUs only look like a mesh.
    for (name, identifier) in [("arm_cmn_10", "43400"), ("arm_cmn_2", "99900")] {
        machine.write(&format!("{name}/identifier"), format!("{identifier}\n"));
    }
    for name in
        ["arm_cmn", "arm_cmn_", "arm_cmn_x", "arm_cmn_+3", "arm_cmn_4294967296", "arm_cspmu_1"]
    {
        machine.write(&format!("{name}/type"), "99\n");
    }
    let system = machine.system();
    let meshes = Meshes::of(&system);
    let numbers: Vec<_> = meshes.iter().map(Mesh::number).collect();
    assert_eq!(numbers, [0, 1, 2, 10]);
    assert_eq!((meshes.len(), meshes.is_empty()), (4, false));
    assert_eq!(mesh(&meshes, 10), 10);
    assert!(meshes.get(3).is_none());

    let identities: Vec<_> = meshes.iter().map(Mesh::identity).collect();
    let cmn = |product, revision| Some(Identity { product, revision });
    let expected =
        [cmn(Product::Cmn700, 3), cmn(Product::Cmn700, 1), None, cmn(Product::Cmn600, 0)];
    assert_eq!(identities, expected);
    let cpus: Vec<_> =
        meshes.iter().map(|mesh| mesh.cpus().unwrap().map(ToString::to_string)).collect();
    assert_eq!(cpus, [Some("16".into()), Some("64".into()), None, None]);
    let names: Vec<_> = meshes.iter().map(|mesh| mesh.pmu().name()).collect();
    assert_eq!(names, ["arm_cmn_0", "arm_cmn_1", "arm_cmn_2", "arm_cmn_10"]);
}

#[test]
fn a_system_without_meshes() {
    let machine = Machine::named("zen4");
    let system = machine.system();
    let meshes = Meshes::of(&system);
    assert!(meshes.is_empty());
    let error = meshes.request(MeshSelection::All, &[MeshEvent::Cycles]).unwrap_err();
    assert_eq!(error.to_string(), "the system has no mesh (no PMU `arm_cmn_0`)");
}

/// The words of the only event that a text resolves to.
fn resolved(text: &str, system: &System) -> (u32, Words) {
    let resolved = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(resolved.events().len(), 1, "{text}");
    (resolved[0].type_(), resolved[0].words())
}

#[test]
fn every_event_that_the_driver_exports() {
    exports("two-meshes", [384, 217]);
}

/// It writes `filter` and `filter2` for what was `occupid`.
#[test]
fn every_event_that_the_driver_of_linux_7_3_exports() {
    exports("newer-meshes", [426, 217]);
    let machine = Machine::named("newer-meshes");
    let system = machine.system();
    let meshes = Meshes::of(&system);
    let names = ["hns_sf_evictions_hbt_en", "hns_snp_sent_vc0"];
    let requests = meshes.request_named(MeshSelection::One(0), &names).unwrap();
    assert_eq!(
        texts(&requests),
        ["{arm_cmn_0/type=0x200,eventid=0x7,filter=0x1,filter2=0x2/,\
          arm_cmn_0/type=0x200,eventid=0x18/}"]
    );
    assert_eq!(requests[0].words(), [Words::new(0x2_0000_0807_0200), Words::new(0x18_0200)]);
    is_what_resolves(&requests[0], &system);
    // An event of an earlier release.
    let error = meshes.request_named(MeshSelection::One(0), &["hns_seq_full"]).unwrap_err();
    assert_eq!(error.kind(), MeshRequestErrorKind::UnknownEvent, "{error}");
    let events = ["hns_sf_evictions_hbt_en", "hns_slc_eviction_lbt_en"];
    let error = meshes.request_named(MeshSelection::One(0), &events).unwrap_err();
    let expected = "arm_cmn_0: event 2 of the group: a node filters by one occupancy id at a time";
    assert_eq!(error.to_string(), expected);
}

fn exports(machine: &str, expected: [usize; 2]) {
    let machine = Machine::named(machine);
    let system = machine.system();
    let mut counts = Vec::new();
    for mesh in Meshes::of(&system).iter() {
        let (kind, pmu) = (PMUS[mesh.number() as usize].0, mesh.pmu().name());
        for alias in mesh.pmu().events() {
            let name = alias.name();
            let identity = mesh.identity().unwrap();
            let named = named::find_on(name, identity.product).unwrap_or_else(|| panic!("{name}"));
            let terms = match alias.terms().contains("filter2") {
                true => alias.terms().to_owned(),
                false => alias.terms().replace("filter", "occupid"),
            };
            assert_eq!(named.event_string().to_string(), terms, "{name}");
            assert!(named.exists_on(identity), "{name}");
            let Some(event) = named.event() else {
                let error = mesh.event(name).unwrap_err();
                assert_eq!(error.kind(), MeshRequestErrorKind::EventString, "{error}");
                continue;
            };
            let words = event.words();
            assert_eq!(mesh.event(name), Ok(event), "{name}");
            assert_eq!(mesh.event(&name.to_uppercase()), Ok(event), "{name}");
            assert_eq!(mesh.encode(&event), Ok(words), "{name}");
            assert_eq!(resolved(&format!("{pmu}/{name}/"), &system), (kind, words), "{name}");
            assert_eq!(resolved(&format!("{pmu}/{event}/"), &system), (kind, words), "{name}");
        }
        counts.push(mesh.pmu().events().count());
    }
    assert_eq!(counts, expected);
    assert!(system.sysfs().problems().is_empty(), "{:?}", system.sysfs().problems());
}

#[test]
fn every_event_of_the_sys_table() {
    let machine = Machine::named("two-meshes");
    let system = machine.system().with_tree(&arm64::TREE);
    for mesh in Meshes::of(&system).iter() {
        let mut count = 0;
        for event in mesh.sys_events() {
            let name = event.name();
            let found = mesh.event(name);
            let by_table = found.unwrap_or_else(|error| panic!("{error}"));
            // The driver's name for it, the types, and perf's way.
            assert_eq!(named::event(name), Some(by_table), "{name}");
            assert_eq!(MeshEvent::parse(event.event_string()), Ok(by_table), "{name}");
            let text = format!("{}/{name}/", mesh.pmu().name());
            let all = system.require(&text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(all.events().len(), 1, "{name}");
            assert_eq!(mesh.encode(&by_table), Ok(all[0].words()), "{name}");
            count += 1;
        }
        assert!(count >= 30, "{count} events");
    }
    let misses = Meshes::of(&system).get(1).unwrap().event("HNF_Cache_Miss");
    assert_eq!(misses.unwrap().words(), Words::new(0x1_0005));
}

fn texts(requests: &[MeshRequest<'_>]) -> Vec<String> {
    requests.iter().map(ToString::to_string).collect()
}

/// What a request says is what perf's own text resolves to.
fn is_what_resolves(request: &MeshRequest<'_>, system: &System) {
    let text = request.to_string();
    let all = system.require(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let words: Vec<_> = all.events().iter().map(|one| one.words()).collect();
    assert_eq!(words, request.words(), "{text}");
    for one in &all {
        assert_eq!(one.type_(), request.type_(), "{text}");
        assert_eq!(one.cpus(), Ok(Some(request.cpus())), "{text}");
        assert_eq!(one.pmu().map(|pmu| pmu.name()), Some(request.mesh().pmu().name()));
    }
}

#[test]
fn one_request_for_all_meshes_or_one() {
    let machine = Machine::named("two-meshes");
    let system = machine.system();
    let meshes = Meshes::of(&system);
    let misses = MeshEvent::from(NodeEvent::new(NodeType::HnF, 0x1).unwrap());
    let events = [MeshEvent::Cycles, misses];

    let all = meshes.request(MeshSelection::All, &events).unwrap();
    assert_eq!(
        texts(&all),
        [
            "{arm_cmn_0/type=0x3/,arm_cmn_0/type=0x5,eventid=0x1/}",
            "{arm_cmn_1/type=0x3/,arm_cmn_1/type=0x5,eventid=0x1/}",
        ]
    );
    // A mesh's counts stay apart: each request has its own PMU and CPU.
    for (request, (kind, cpu)) in all.iter().zip(PMUS) {
        assert_eq!((request.type_(), request.cpus().to_string().as_str()), (kind, cpu));
        assert_eq!(request.words(), [Words::new(0x3), Words::new(0x1_0005)]);
        assert_eq!(request.events(), events);
        is_what_resolves(request, &system);
    }

    let one = meshes.request(MeshSelection::One(1), &[misses]).unwrap();
    assert_eq!(texts(&one), ["arm_cmn_1/type=0x5,eventid=0x1/"]);
    assert_eq!(one[0].mesh().number(), 1);
    is_what_resolves(&one[0], &system);

    let names = ["dtc_cycles", "hnf_cache_miss"];
    let by_name = meshes.request_named(MeshSelection::All, &names).unwrap();
    assert_eq!(texts(&by_name), texts(&all));
    let by_table = meshes.request_named(MeshSelection::All, &names).unwrap();
    assert_eq!(texts(&by_table), texts(&all));

    // What perf opens for a name without a number is the same.
    let resolved = system.require("arm_cmn/hnf_cache_miss/").unwrap();
    let places: Vec<_> = resolved.events().iter().map(|one| (one.type_(), one.words())).collect();
    assert_eq!(places, PMUS.map(|(kind, _)| (kind, misses.words())));
}

#[test]
fn requests_that_are_refused() {
    let machine = Machine::named("two-meshes");
    machine.write("arm_cmn_2/type", "22\n");
    machine.write("arm_cmn_3/cpumask", "0\n");
    machine.write("arm_cmn_4/type", "24\n");
    machine.write("arm_cmn_4/cpumask", "\n");
    let system = machine.system();
    let meshes = Meshes::of(&system);
    let cases: &[(MeshSelection, &str, &str)] = &[
        (MeshSelection::One(9), "dtc_cycles", "there is no mesh 9; there are 0, 1, 2, 3, 4"),
        (
            MeshSelection::One(0),
            "hnf_cache_mis",
            "arm_cmn_0 has no event `hnf_cache_mis`; did you mean `hnf_cache_miss`?",
        ),
        (MeshSelection::One(0), "instructions", "arm_cmn_0 has no event `instructions`"),
        // The smaller mesh has no SBSX, and its revision not all events.
        (MeshSelection::One(1), "sbsx_rd_req", "arm_cmn_1 has no event `sbsx_rd_req`"),
        (MeshSelection::All, "hnf_nc_excl", "arm_cmn_1 has no event `hnf_nc_excl`"),
        (
            MeshSelection::One(0),
            "watchpoint_up",
            "arm_cmn_0: event `watchpoint_up`: parameter `wp_dev_sel` has no value: add wp_dev_sel=…",
        ),
    ];
    for &(selection, name, expected) in cases {
        let error = meshes.request_named(selection, &[name]).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let names = ["hnf_cache_miss", "hnf_sf_hit", "hnf_mc_reqs", "hnf_seq_hit", "hnf_seq_full"];
    let error = meshes.request_named(MeshSelection::One(1), &names).unwrap_err();
    let expected =
        "arm_cmn_1: event 5 of the group: a crosspoint counts no more than four at a time";
    assert_eq!(error.to_string(), expected);
    let cases: &[(u32, &str)] = &[
        (2, "arm_cmn_2: the file `cpumask` is missing or invalid"),
        (3, "arm_cmn_3: the file `type` is missing or invalid"),
        (4, "arm_cmn_4: the file `cpumask` is missing or invalid"),
    ];
    for &(number, expected) in cases {
        let error = meshes.request(MeshSelection::One(number), &[MeshEvent::Cycles]).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn node_ids_of_meshes_of_different_size() {
    let machine = Machine::named("two-meshes");
    let system = machine.system();
    let meshes = Meshes::of(&system);
    // The same place has another id on a mesh of another size or layout.
    let place = NodeLocation { x: 3, y: 1, port: 1, device: 0 };
    let cases = [
        (0, MeshSize::new(8, 6), PortLayout::Two, "0xcc", 0xcc_8001_0005),
        (0, MeshSize::new(8, 6), PortLayout::Four, "0xca", 0xca_8001_0005),
        (1, MeshSize::new(4, 2), PortLayout::Two, "0x6c", 0x6c_8001_0005),
    ];
    for (number, size, layout, id, word) in cases {
        let size = size.unwrap();
        let node = size.node_id(layout, place).unwrap();
        assert_eq!(size.place(layout, node), Ok(place));
        let event = MeshEvent::from(NodeEvent::new(NodeType::HnF, 0x1).unwrap().at(node).unwrap());
        assert_eq!(event.scope(), NodeSelection::Node(node));
        let requests = meshes.request(MeshSelection::One(number), &[event]).unwrap();
        let expected = format!("arm_cmn_{number}/type=0x5,eventid=0x1,bynodeid=1,nodeid={id}/");
        assert_eq!(texts(&requests), [expected]);
        assert_eq!(requests[0].words(), [Words::new(word)]);
        is_what_resolves(&requests[0], &system);
    }
    let outside = MeshSize::new(4, 2).unwrap().crosspoint(4, 0);
    assert_eq!(outside.unwrap_err().to_string(), "0x4 is too large for `x`: at most 0x3 fits");
}

#[test]
fn watchpoints_word_for_word() {
    let machine = Machine::named("two-meshes");
    let system = machine.system();
    let meshes = Meshes::of(&system);
    let product = Product::Cmn700;
    let opcode = Match::all(Channel::Req, MatchGroup::Primary).with(product, Field::Opcode, 0x4);
    let address = Match::all(Channel::Req, MatchGroup::Secondary)
        .with_bits(product, Field::Addr, 0x8_8000_0000, !0xfff)
        .unwrap();
    let crosspoint = MeshSize::new(8, 6).unwrap().crosspoint(3, 1).unwrap();
    let pair = Watchpoint::pair(Direction::Up, 1, [address, opcode.unwrap()], 2).unwrap();
    let events = pair.map(|watchpoint| MeshEvent::from(watchpoint.at(crosspoint).unwrap()));
    let requests = meshes.request(MeshSelection::One(0), &events).unwrap();
    assert_eq!(
        texts(&requests),
        ["{arm_cmn_0/type=0x7770,eventid=0x0,bynodeid=1,nodeid=0xc8,wp_dev_sel=0x1,\
          wp_chn_sel=0x0,wp_grp=0x0,wp_combine=0x2,wp_val=0x80000000,\
          wp_mask=0xfffffff01fffffff/,\
          arm_cmn_0/type=0x7770,eventid=0x0,bynodeid=1,nodeid=0xc8,wp_dev_sel=0x1,\
          wp_chn_sel=0x0,wp_grp=0x1,wp_combine=0x2,wp_val=0x8800000000,\
          wp_mask=0xff0000000000ffff/}"]
    );
    assert_eq!(
        requests[0].words(),
        [
            Words::new(0x0001_00c8_9000_7770)
                .with(Word::Config1, 0x8000_0000)
                .with(Word::Config2, 0xffff_fff0_1fff_ffff),
            Words::new(0x0101_00c8_9000_7770)
                .with(Word::Config1, 0x88_0000_0000)
                .with(Word::Config2, 0xff00_0000_0000_ffff),
        ]
    );
    is_what_resolves(&requests[0], &system);

    // Down, exclusive, raw words; the driver's alias gives the same.
    let raw = Match::raw(Channel::Dat, MatchGroup::Secondary, 0x12, !0xff);
    let watchpoint = Watchpoint::new(Direction::Down, 3, raw).unwrap().with_exclusive(true);
    let event = MeshEvent::from(watchpoint);
    let words = Words::new(0x051b_0000_0002_7770)
        .with(Word::Config1, 0x12)
        .with(Word::Config2, 0xffff_ffff_ffff_ff00);
    assert_eq!(meshes.get(0).unwrap().encode(&event), Ok(words));
    let alias = "arm_cmn_0/watchpoint_down,wp_dev_sel=3,wp_chn_sel=3,wp_grp=1,wp_exclusive,\
                 wp_val=0x12,wp_mask=0xffffffffffffff00/";
    assert_eq!(resolved(alias, &system), (20, words));
    let terms = alias.trim_start_matches("arm_cmn_0/").trim_end_matches('/');
    assert_eq!(MeshEvent::parse(terms), Ok(event));
}

#[test]
fn what_the_product_lacks_is_refused_before_the_kernel_cuts_it_off() {
    let machine = Machine::named("two-meshes");
    let system = machine.system();
    let tertiary = Match::all(Channel::Req, MatchGroup::Tertiary);
    let event = MeshEvent::from(Watchpoint::new(Direction::Up, 0, tertiary).unwrap());
    assert!(Meshes::of(&system).request(MeshSelection::All, &[event]).is_ok());

    machine.write("arm_cmn_1/identifier", "43403\n");
    let system = machine.system();
    let error = Meshes::of(&system).request(MeshSelection::All, &[event]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "arm_cmn_1/type=0x7770,eventid=0x0,wp_dev_sel=0x0,wp_chn_sel=0x0,wp_grp=0x2,wp_val=0x0,\
         wp_mask=0xffffffffffffffff/: `wp_grp`: the product does not have this"
    );
}

#[test]
fn formats_are_those_of_the_mesh() {
    let machine = Machine::named("two-meshes");
    machine.write("arm_cmn_1/format/eventid", "config3:4-14\n");
    let system = machine.system();
    let misses = named::event("hnf_cache_miss").unwrap();
    let requests = Meshes::of(&system).request(MeshSelection::All, &[misses]).unwrap();
    let words: Vec<_> = requests.iter().flat_map(|request| request.words()).collect();
    assert_eq!(words, [&Words::new(0x1_0005), &Words::new(0x5).with(Word::Config3, 0x10)]);
    is_what_resolves(&requests[1], &system);

    machine.write("arm_cmn_1/format/eventid", "nonsense\n");
    let system = machine.system();
    let error = Meshes::of(&system).request(MeshSelection::All, &[misses]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "arm_cmn_1/type=0x5,eventid=0x1/: `eventid`: the PMU has no such term"
    );
    assert_eq!(system.sysfs().problems().len(), 1);
}

/// Why the system refuses to read what a request needs is the source of its error.
#[cfg(target_os = "linux")]
#[test]
fn reasons_of_the_system() {
    use std::error::Error as _;

    let machine = Machine::named("two-meshes");
    let cpus = machine.path("arm_cmn_0/cpumask");
    std::fs::remove_file(&cpus).unwrap();
    std::os::unix::fs::symlink(&cpus, &cpus).unwrap();
    let system = machine.system();
    let meshes = Meshes::of(&system);
    let cycles = MeshEvent::parse("type=3").unwrap();
    let error = meshes.request(MeshSelection::One(0), &[cycles]).unwrap_err();
    assert_eq!((error.kind(), error.pmu()), (MeshRequestErrorKind::NoFile, Some("arm_cmn_0")));
    assert_eq!(error.to_string(), "arm_cmn_0: the file `cpumask` is missing or invalid");
    let source = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    assert_eq!(source.and_then(std::io::Error::raw_os_error), Some(libc::ELOOP), "{error}");
    // Where there is only nothing, no system has refused anything.
    machine.write("arm_cmn_1/cpumask", "\n");
    let error = meshes.request(MeshSelection::One(1), &[cycles]).unwrap_err();
    assert!(error.source().is_none(), "{error}");
}
