//! `examples/ebb` as a user meets it. What the kernel says to it is seen on
//! emulated machines (`tests/emulated`).

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

#[path = "common/cargo.rs"]
mod cargo;

static EBB: LazyLock<PathBuf> = LazyLock::new(|| {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target");
    let arguments = ["--example", "ebb", "--target-dir"].map(AsRef::as_ref);
    let arguments: Vec<_> = arguments.into_iter().chain([target.as_os_str()]).collect();
    cargo::build(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments)
});

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(&*EBB);
    command.args(arguments).env("PERF_CPUID", "0x004e1202");
    let Output { status, stdout, stderr } = command.output().expect("the example runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[cfg(not(target_arch = "powerpc64"))]
#[test]
fn elsewhere_it_says_what_it_would_do() {
    let (code, out, err) = run(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(
        out,
        "power9, CPUID 0x004e1202\n\
         PM_CYC@1         0x800000000001001e  pmcxsel=0x1e,pmc=1,ebb\n\
         PM_RUN_INST_CMPL 0x80000000000400fa  pmcxsel=0xfa,pmc=4,ebb\n\
         This is no POWER machine. On one, the program would\n  \
         open event 0 with type 4 and config 0x800000000001001e for its own thread, pinned, \
         exclusive, disabled;\n  \
         open event 1 with type 4 and config 0x80000000000400fa for its own thread, in its \
         group;\n  \
         enable the group by an ioctl;\n  \
         read it: the end of the file would say that another pinned event has the PMU;\n  \
         close it.\n"
    );
}

#[test]
fn faults_are_named() {
    let cases: &[(&[&str], &str)] = &[
        (&["PM_CYC"], "ebb: event 0: the code must name its counter in bits 19:16\n"),
        (
            &["PM_CYC@2", "PM_INST_CMPL@2", "PM_BR_CMPL@1"],
            "ebb: event 1: another event of the group is on the same counter\n\
             event 2: the event is counted on another counter than the one asked for\n",
        ),
        (&["PM_CYX@1"], "ebb: power9 has no event PM_CYX; is it PM_CYC?\n"),
        (&["0x10g"], "ebb: 0x10g: invalid digit found in string\n"),
        (&["PM_CYC@one"], "ebb: PM_CYC@one: invalid digit found in string\n"),
    ];
    for (arguments, expected) in cases {
        let (code, out, err) = run(arguments);
        assert_eq!((code, out.as_str(), err.as_str()), (Some(1), "", *expected), "{arguments:?}");
    }
}
