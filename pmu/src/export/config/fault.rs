//! What is wrong in a configuration, and where.

/// What is wrong at an offset of the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Self {
        Fault { at, message: message.into() }
    }
}

/// The text of a configuration, and the name under which its faults are reported.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Text {
    /// One line for each fault, in the order of the text: `FILE:LINE:COLUMN: MESSAGE`.
    pub(crate) fn report(&self, faults: &[Fault]) -> String {
        let mut faults: Vec<&Fault> = faults.iter().collect();
        faults.sort();
        faults.dedup();
        let line = |fault: &&Fault| {
            let (line, column) = self.place(fault.at);
            format!("{}:{line}:{column}: {}", self.name, fault.message)
        };
        faults.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The line and the column of an offset, both from 1; columns are characters.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        (line, before[begin..].chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_in_order_with_line_and_column() {
        let text = Text { name: "a.toml".into(), text: "x\nä = 1\n".into() };
        let at = text.text.find('=').expect("it is there");
        let faults = [Fault::new(at, "b"), Fault::new(0, "a"), Fault::new(at, "b")];
        assert_eq!(text.report(&faults), "a.toml:1:1: a\na.toml:2:3: b");
        assert_eq!(text.place(99), (3, 1));
    }
}
