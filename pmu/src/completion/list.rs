//! The last name of a list of events or metrics, which is to be completed.

/// A list that is being written.
#[derive(Debug, PartialEq)]
pub(super) struct Unfinished<'a> {
    /// Everything before the name.
    pub(super) before: &'a str,
    /// The PMU that is named before it.
    pub(super) pmu: Option<&'a str>,
    pub(super) name: &'a str,
}

impl<'a> Unfinished<'a> {
    /// `None` where a term, a modifier or a new element must follow.
    pub(super) fn of(list: &'a str) -> Option<Self> {
        // A comma between slashes separates terms.
        let mut is_within = false;
        let mut start = 0;
        for (at, c) in list.char_indices() {
            match c {
                '/' => is_within = !is_within,
                ',' | '{' if !is_within => start = at + c.len_utf8(),
                _ => {}
            }
        }
        let element = &list[start..];
        let (pmu, at) = match element.find('/') {
            Some(slash) => (Some(&element[..slash]), start + slash + 1),
            None => (None, start),
        };
        let name = &list[at..];
        let is_over = name.contains([',', '=', '/', ':', '}']);
        (!is_over).then(|| Unfinished { before: &list[..at], pmu, name })
    }

    /// The list with the name written out. What is typed already stays as it is, and what
    /// follows has its letter case, since shells compare letters.
    pub(super) fn with(&self, name: &str) -> Option<String> {
        let typed = name.get(..self.name.len())?;
        if !typed.eq_ignore_ascii_case(self.name) {
            return None;
        }
        let rest = &name[self.name.len()..];
        let is_lower = !self.name.is_empty() && !self.name.contains(|c: char| c.is_uppercase());
        let rest = if is_lower { rest.to_ascii_lowercase() } else { rest.to_owned() };
        Some([self.before, self.name, &rest].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_being_written() {
        let unfinished = |before, pmu, name| {
            Some(Unfinished { before, pmu: Some(pmu).filter(|p: &&str| !p.is_empty()), name })
        };
        for (list, expected) in [
            ("", unfinished("", "", "")),
            ("inst", unfinished("", "", "inst")),
            ("cycles,inst", unfinished("cycles,", "", "inst")),
            ("{cycles,br", unfinished("{cycles,", "", "br")),
            ("cycles:u,{br", unfinished("cycles:u,{", "", "br")),
            ("cpu/inst", unfinished("cpu/", "cpu", "inst")),
            ("cycles,cpu/event=1,umask=2/,x", unfinished("cycles,cpu/event=1,umask=2/,", "", "x")),
            ("cpu/event=1,u", None),
            ("cpu/event=", None),
            ("cpu/inst/u", None),
            ("cycles:u", None),
            ("{cycles}", None),
        ] {
            assert_eq!(Unfinished::of(list), expected, "{list}");
        }
    }

    #[test]
    fn letters_stay_as_typed() {
        let written = |list, name| Unfinished::of(list).and_then(|list| list.with(name));
        assert_eq!(written("a,inst_re", "INST_RETIRED.ANY").unwrap(), "a,inst_retired.any");
        assert_eq!(written("INST", "INST_RETIRED.ANY").unwrap(), "INST_RETIRED.ANY");
        assert_eq!(written("cpu/", "INST_RETIRED.ANY").unwrap(), "cpu/INST_RETIRED.ANY");
        assert_eq!(written("l1D", "l1d_cache").unwrap(), "l1D_cache");
        assert_eq!(written("x", "INST_RETIRED.ANY"), None);
        assert_eq!(written("ä", "INST_RETIRED.ANY"), None);
    }
}
