//! A `main` that returns an error shows its `Debug`. So that of every error of the
//! libraries reads as its `Display`.

use std::collections::BTreeSet;
use std::error::Error;

use pmu_events::__private::event_list::EventList;
use pmu_events::__private::expr;
use pmu_events::cmn::{MeshEvent, MeshSelection, Meshes, NodeEvent, NodeType, named};
use pmu_events::event::{CounterConstraint, CounterSet};
use pmu_events::event_list::Hardware;
use pmu_events::format::{Format, Word};
use pmu_events::measure::Formulas;
use pmu_events::open::Attr;
use pmu_events::planner::{CoreState, Supply};
use pmu_events::power::{Fields, Generation};
use pmu_events::register::{Control, intel};
use pmu_events::sample::Layout;
use pmu_events::schedule::{self, Pool};
use pmu_events::sysfs::CpuSet;
use pmu_events::term::Terms;
use pmu_events::{System, arch, builtin, cmn, config, ebb};
use pmu_events_compiler::{Options, Source, compile, tree_json};

#[allow(dead_code)] // Other tests use more of it.
#[path = "machines/mod.rs"]
mod machines;

use machines::Machine;

/// A group of a generation, of which a machine has one at most.
fn group(generation: Generation) -> ebb::BranchGroup {
    let cycles = arch::powerpc::POWER9.require("PM_CYC");
    ebb::Builder::new(generation).event(cycles).on(1).build().expect("the rules allow it")
}

/// An error of each type, by the name of the type in `api/`.
fn errors() -> Vec<(&'static str, Box<dyn Error>)> {
    let nowhere = System::at("/nonexistent");
    let odd = Machine::of("odd/type\t4\nodd/format/event\tmany");
    let mut errors: Vec<(&'static str, Box<dyn Error>)> = Vec::new();
    // A type's own path stands for what is in the listings.
    macro_rules! add {
        ($type:ty, $error:expr) => {
            let error: $type = $error;
            errors.push((stringify!($type), Box::new(error)));
        };
    }
    add!(pmu_events::cmn::Error, NodeEvent::new(NodeType::HnF, 0xffff).unwrap_err());
    let of_mesh = ["hnf_cache_miss"; 5].map(|name| named::event(name).unwrap());
    add!(pmu_events::cmn::GroupError, cmn::check_group(&of_mesh, None).unwrap_err());
    add!(pmu_events::cmn::ParseError, MeshEvent::parse("type=x").unwrap_err());
    let terms = config::encode(Terms::new("unask=1"), builtin::INTEL);
    add!(pmu_events::config::Error, terms.unwrap_err());
    let shared = ebb::BranchAttr::default();
    let broken = ebb::check(Generation::Power8, &[shared], ebb::BranchTarget::THIS_THREAD);
    add!(pmu_events::ebb::Broken, broken.unwrap_err());
    add!(pmu_events::format::TooLarge, Format::new(Word::Config, 1).scatter(2).unwrap_err());
    let fields = Fields { combine: 2, ..Fields::none(Generation::Power8) };
    add!(pmu_events::power::Error, fields.encode().unwrap_err());
    add!(pmu_events::register::Error, intel::selector(1 << 62, Control::COUNT).unwrap_err());
    let only = CounterConstraint::General(CounterSet::from_bits(1));
    let fit = schedule::fit(&[only, only], Pool::first(4, 0));
    add!(pmu_events::schedule::DoesNotFit, fit.unwrap_err());
    let located = "pmu_events::located::Error";
    errors.push((located, Box::new(Format::parse("config:9-3").unwrap_err())));
    errors.push((located, Box::new(EventList::parse("cycles,{").unwrap_err())));
    errors.push((located, Box::new(expr::check("a + (b").unwrap_err())));
    errors.push((located, Box::new("cylces".parse::<Hardware>().unwrap_err())));

    let meshes = Meshes::of(&nowhere).request(MeshSelection::All, &[]);
    add!(pmu_events::cmn::MeshRequestError, meshes.unwrap_err());
    let starts = [Generation::Power8, Generation::Power10]
        .into_iter()
        .find_map(|generation| ebb::start(&group(generation), ebb::Enable::Ioctl).err());
    add!(pmu_events::ebb::Error, starts.expect("no machine is of both"));
    add!(pmu_events::host::Error, nowhere.clone().with_cpuid("Nobody-1-2-3").model().unwrap_err());
    add!(pmu_events::measure::FormulaError, "a = (b".parse::<Formulas>().unwrap_err());
    add!(pmu_events::open::Error, nowhere.open("cycles,{").unwrap_err());
    let unknown = Supply::of(arch::powerpc::POWER9, "nest", CoreState::default());
    add!(pmu_events::planner::Unstated, unknown.unwrap_err());
    add!(pmu_events::resolve::Error, nowhere.resolve("cycles,{").unwrap_err());
    let record = Layout::of(&Attr::default()).parse(&[9, 0, 0, 0]).map(|_| ());
    add!(pmu_events::sample::ParseError, record.unwrap_err());
    add!(pmu_events::sysfs::CpuSetError, "3-x".parse::<CpuSet>().unwrap_err());
    let sysfs = odd.sysfs();
    let pmu = sysfs.pmu("odd").expect("it has a type");
    assert!(pmu.format("event").is_none(), "problems are known of what has been read");
    add!(pmu_events::sysfs::Problem, pmu.problems().remove(0));
    add!(pmu_events::system::ProcessError, nowhere.threads_of(u32::MAX).unwrap_err());

    let (source, options) =
        (Source::read("/nonexistent".as_ref(), "none", &Options::default()), Options::default());
    add!(pmu_events_compiler::Refused, *compile(&source, &options).unwrap_err());
    add!(pmu_events_compiler::tree_json::Syntax, tree_json::array("[1,").unwrap_err());
    errors
}

#[test]
fn debug_reads_as_display() {
    for (name, error) in errors() {
        let shown = error.to_string();
        assert!(!shown.is_empty(), "{name}");
        assert_eq!(format!("{error:?}"), shown, "{name}");
        assert_eq!(format!("{error:#?}"), shown, "{name}");
    }
}

/// The list above has every error of the listings, which `.ci/api` holds to the sources.
#[test]
fn no_error_is_forgotten() {
    let listings = [
        include_str!("../api/pmu-events-core.txt"),
        include_str!("../api/pmu-events-cmn.txt"),
        include_str!("../api/pmu-events-ebb.txt"),
        include_str!("../api/pmu-events-register.txt"),
        include_str!("../api/pmu-events.txt"),
        include_str!("../api/pmu-events-follow.txt"),
        include_str!("../api/pmu-events-sample.txt"),
    ];
    let implementing = |line: &'static str| {
        let (of, name) = line.split_once("Error for ")?;
        // Without parameters. A user names the types of other crates by `pmu_events`.
        let mut name = name.split('<').next()?.replace("pmu_events_core::", "pmu_events::");
        for (of_crate, of_module) in [
            ("pmu_events_cmn::", "pmu_events::cmn::"),
            ("pmu_events_ebb::", "pmu_events::"),
            ("pmu_events_register::", "pmu_events::register::"),
        ] {
            name = name.replace(of_crate, of_module);
        }
        (of.starts_with("impl") && !of.contains("From")).then_some(name)
    };
    let listed: BTreeSet<String> =
        listings.iter().flat_map(|listing| listing.lines()).filter_map(implementing).collect();
    let of_compiler = |name: &str| name.starts_with("pmu_events_compiler::");
    let tried: BTreeSet<String> = errors()
        .iter()
        .map(|(name, _)| name.to_string())
        .filter(|name| !of_compiler(name))
        .collect();
    assert_eq!(tried, listed);
}

/// What a user sees who asks for a process that is gone.
#[test]
fn a_process_that_is_gone() {
    let error = System::at("/nonexistent").with_proc("/nonexistent").threads_of(4711).unwrap_err();
    assert_eq!(format!("{error:?}"), "there is no process 4711");
    assert!(error.is_gone());
    let error: Box<dyn Error> = std::io::Error::from(error).into();
    assert_eq!(error.to_string(), "there is no process 4711");
}
