//! What is said of a CPU that has no table.

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

const REMAINS: &str = "AMD's architecture names no events; those that the kernel has for every \
                       CPU remain, such as `cycles` and `instructions`";

/// The exit status and standard error.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let run = run::finish(run::command().args(arguments));
    (run.code, run.err)
}

/// No table can serve a family of AMD's of which nothing is known.
#[test]
fn a_family_of_amd() {
    for (cpuid, is_of_amd) in
        [("AuthenticAMD-99-FF-0", true), ("HygonGenuine-24-1-1", true), ("0x00390000", false)]
    {
        let (code, err) = run(&["list", "--cpuid", cpuid]);
        let remains = if is_of_amd { format!("{REMAINS}.\n") } else { String::new() };
        let expected =
            format!("pmu list: no model is known for CPU `{cpuid}`\n{remains}Choose one with ");
        assert_eq!(code, Some(1), "{cpuid}: {err}");
        assert!(err.starts_with(&expected), "{cpuid}: {err}");

        // No table has metrics, so that the notes say why there is none of that name.
        let (_, err) = run(&["stat", "--cpuid", cpuid, "-M", "no_such_metric", "true"]);
        let expected = format!(
            "note: there is no table of this CPU's events: no model is known for CPU `{cpuid}`{}\n",
            if is_of_amd { format!("; {REMAINS}") } else { String::new() }
        );
        assert!(err.contains(&expected), "{cpuid}: {err}");
    }
}
