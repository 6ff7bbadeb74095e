//! What is counted on this machine, and the series that it makes.
//!
//! ```text
//! Following: places, cells ─▶ build: layout ─▶ families      when places come or go
//!                  └──────▶ layout: sums, metrics ─▶ families ─▶ text
//! ```
//!
//! The layout is made when places come or go. A read then only adds numbers up, cell by cell.

mod build;
mod families;
mod health;
mod labels;
mod layout;
mod machine;
mod metrics;
mod report;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pmu_events::__private::glob;
use pmu_events::Scope::AllCpus;
use pmu_events::event_list::Tool;
use pmu_events::expr::Machine as _;
use pmu_events::follow::{Following, Selection};

use super::choice::Chosen;
use super::config::{Limits, Located, Scope, ScopeKind};
use super::containers::Containers;
use super::exposition::{Format, Page};
use super::prepared::Prepared;
use crate::stat::cgroups;
use crate::stat::run::raise_limit;
use crate::system::System;
use health::Health;
pub(super) use health::{Event, Requests};
use layout::Layout;
use metrics::Metrics;
use report::Report;

/// The counters of all scopes, and their series.
pub(super) struct Collection {
    system: System,
    scopes: Vec<Chosen>,
    following: Following,
    containers: Containers,
    limits: Limits,
    page: Page,
    layout: Layout,
    metrics: Metrics,
    health: Health,
    report: Report,
    updated: Option<Instant>,
}

impl Collection {
    /// Prepares to count what was chosen. Nothing is opened before the first
    /// [`update`](Self::update).
    ///
    /// # Errors
    ///
    /// Returns a sentence if control groups are to be counted and none are mounted.
    pub(super) fn new(prepared: Prepared, requests: &Requests) -> Result<Self, String> {
        let Prepared { config, system, choice } = prepared;
        let (limits, scopes) = (config.limits, choice.scopes);
        let host = config.host.unwrap_or_else(|| PathBuf::from("/"));
        let limit =
            limits.descriptors.unwrap_or(usize::MAX).min(permitted(limits.connections, &system));
        let mut following = Following::new(&system).with_limit(limit);
        for (number, chosen) in scopes.iter().enumerate() {
            let selection = selection(&scopes, number, &system)?;
            following.follow(chosen.events.clone(), selection);
        }
        let metrics = Metrics::new(&scopes, &system);
        Ok(Collection {
            following,
            containers: Containers::below(&host),
            limits,
            page: Page::default(),
            layout: Layout::default(),
            metrics,
            health: Health::new(requests),
            report: Report::default(),
            updated: None,
            scopes,
            system,
        })
    }

    /// Looks for CPUs, control groups and processes, and evaluates metrics over the time since the
    /// last call.
    pub(super) fn update(&mut self) {
        self.following.update();
        self.following.read();
        let now = Instant::now();
        let elapsed = self.updated.replace(now).map(|before| now - before);
        let Collection { system, scopes, following, containers, limits, layout, .. } = self;
        if layout.is_outdated(following) {
            containers.look();
            *layout = Layout::new(layout, system, scopes, following, containers, limits.series);
            layout.families(&self.health, self.page.rearrange());
        }
        let values = self.metrics.evaluate(scopes, following, layout, elapsed);
        if let Some(values) = values {
            layout.put_metrics(values, &mut self.page);
        }
        self.report.tell(scopes, following, layout);
    }

    /// Reads all counters and writes their series. The text is that of each format.
    pub(super) fn read(&mut self) {
        let begin = Instant::now();
        self.following.read();
        self.layout.add_up(&self.following);
        self.health.read_in(begin.elapsed());
        let families = self.page.families();
        self.layout.put(families);
        let series = (self.layout.series(), self.layout.left_out());
        self.health.put(&self.following, series, families);
    }

    /// The text of the last read.
    pub(super) fn text(&mut self, format: Format) -> String {
        self.page.write(format)
    }

    /// How long the last read may be the answer to a request: a scraper that asks more often
    /// takes no more time.
    pub(super) const FRESH: Duration = Duration::from_millis(50);
}

/// The places of a scope. Those that an earlier scope with one of the same events has are left
/// out, as their series would be there twice.
fn selection(scopes: &[Chosen], number: usize, system: &System) -> Result<Selection, String> {
    let scope = &scopes[number].scope;
    let shares = |other: &&Chosen| {
        other.scope.kind == scope.kind
            && other.events.events().iter().any(|one| {
                scopes[number].events.events().iter().any(|own| own.name() == one.name())
            })
    };
    let others: Vec<Patterns> =
        scopes[..number].iter().filter(shares).map(|other| Patterns::of(&other.scope)).collect();
    let patterns = Patterns::of(scope);
    let is_wanted =
        move |name: &str| patterns.match_(name) && !others.iter().any(|one| one.match_(name));
    Ok(match scope.kind {
        ScopeKind::Cgroup => Selection::cgroups(cgroups::root(system)?, is_wanted),
        ScopeKind::Process => Selection::processes(is_wanted),
        _ => Selection::cpus(),
    })
}

/// Shell patterns over names, and those of what is left out.
struct Patterns {
    wanted: Vec<String>,
    except: Vec<String>,
}

impl Patterns {
    fn of(scope: &Scope) -> Self {
        let values = |all: &[Located<String>]| -> Vec<String> {
            all.iter().map(|one| one.value.trim_matches('/').to_owned()).collect()
        };
        let wanted = match scope.kind {
            ScopeKind::Process => values(&scope.names),
            _ => values(&scope.paths),
        };
        Patterns { wanted, except: values(&scope.except) }
    }

    fn match_(&self, name: &str) -> bool {
        let matches = |pattern: &String| glob::matches(pattern, name);
        self.wanted.iter().any(matches) && !self.except.iter().any(matches)
    }
}

/// How many counters the system permits this process beside its other files. The limit is raised
/// as far as that needs no right.
fn permitted(connections: usize, system: &System) -> usize {
    const OTHERS: usize = 64;
    // On each of them, an event tells whether it was offline.
    let cpus = system.machine(&AllCpus).literal(Tool::NumCpus);
    let cpus = if cpus.is_finite() { cpus as usize } else { 0 };
    raise_limit();
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: 0 };
    // SAFETY: the call only writes the structure.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    usize::try_from(limit.rlim_cur)
        .unwrap_or(usize::MAX)
        .saturating_sub(OTHERS + connections + cpus)
}
