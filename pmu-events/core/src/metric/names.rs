//! Lists of names in one text.

/// The names in a list with `;` between them, of groups or of events.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    pub(super) rest: &'static str,
}

impl Names {
    pub(super) const fn step(&mut self) -> Option<&'static str> {
        while !self.rest.is_empty() {
            let mut end = 0;
            while end < self.rest.len() && self.rest.as_bytes()[end] != b';' {
                end += 1;
            }
            let (name, behind) = self.rest.split_at(end);
            self.rest = match behind.split_at_checked(1) {
                Some((_, behind)) => behind,
                None => "",
            };
            if !name.is_empty() {
                return Some(name);
            }
        }
        None
    }
}

impl Iterator for Names {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        self.step()
    }
}
