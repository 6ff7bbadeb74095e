//! What is said on standard error: each thing once, when it happens.

use std::collections::BTreeSet;

use pmu_events::follow::Following;

use super::layout::Layout;
use crate::export::choice::Chosen;
use crate::export::config::ScopeKind;
use crate::failure::complain;

/// What has been said.
#[derive(Debug, Default)]
pub(super) struct Report {
    told: BTreeSet<String>,
    is_full: bool,
}

impl Report {
    /// Says what is left out, ranked: the scopes in the order of the configuration, and the places
    /// of each by their names.
    pub(super) fn tell(&mut self, scopes: &[Chosen], following: &Following, layout: &Layout) {
        const MOST: usize = 20;
        let left_out: Vec<String> = following
            .left_out()
            .iter()
            .map(|one| {
                let scope = scopes[one.selection()].scope.kind.name();
                format!("[{scope}]: {one}")
            })
            .chain(without_place(scopes, following))
            .collect();
        let new: Vec<&String> = left_out.iter().filter(|one| !self.told.contains(*one)).collect();
        for one in new.iter().take(MOST) {
            complain("export", &format!("left out: {one}"));
        }
        if new.len() > MOST {
            complain("export", &format!("left out: {} more", new.len() - MOST));
        }
        for one in self.told.iter().filter(|one| !left_out.contains(one)).take(MOST) {
            complain("export", &format!("no longer left out: {one}"));
        }
        self.told = left_out.into_iter().collect();
        let is_full = layout.left_out() > 0;
        if is_full && !self.is_full {
            let message = format!("{} series are left out: over the limit", layout.left_out());
            complain("export", &message);
        }
        self.is_full = is_full;
    }
}

/// Names of control groups and processes that nothing has. A pattern may wait for some.
fn without_place(scopes: &[Chosen], following: &Following) -> Vec<String> {
    let mut all = Vec::new();
    for scope in scopes.iter().map(|chosen| &chosen.scope) {
        let (names, what) = match scope.kind {
            ScopeKind::Cgroup => (&scope.paths, "control group"),
            ScopeKind::Process => (&scope.names, "process"),
            _ => continue,
        };
        let is_pattern = |name: &str| name.contains(['*', '?', '[']);
        for name in names.iter().map(|name| name.value.trim_matches('/')) {
            let is_there = following.places().any(|place| place.name() == Some(name));
            let is_told = following.left_out().iter().any(|one| one.name() == Some(name));
            if !is_pattern(name) && !is_there && !is_told {
                all.push(format!("[{}]: `{name}`: there is no such {what}", scope.kind.name()));
            }
        }
    }
    all
}
