//! nanoBench's lists, `cfg_CPU.txt`: lines of an event, its unit mask and options, and a name.

use super::{fields, lines};
use crate::audit::candidate::{Candidate, Code, Name};
use crate::decode::notation;

pub(super) fn is_list(text: &str) -> bool {
    let mut codes = 0;
    for (_, line) in lines(text).filter(|(_, line)| is_content(line)) {
        match fields(line)[..] {
            [(_, code), (_, _)] if code.contains('.') && notation::of_others(code).is_some() => {
                codes += 1;
            }
            // Other lines select in MSRs.
            [(_, code), ..] if code.starts_with("msr_") => {}
            _ => return false,
        }
    }
    codes > 0
}

fn is_content(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

pub(super) fn find(text: &str) -> Vec<Candidate> {
    let of_line = |(start, line): (usize, &str)| {
        let [(at, code), (end, name)] = fields(line)[..] else { return None };
        let terms = notation::of_others(code)?.terms;
        Some(Candidate {
            span: start + at..start + end + name.len(),
            name: Some(Name::Event(name.into())),
            code: Some(Code::of_core(terms)),
            cpus: Vec::new(),
            cpu_at: None,
        })
    };
    lines(text).filter(|(_, line)| is_content(line)).filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_codes_and_names() {
        let text = "# List\n\n3C.00 CORE_CYCLES\nB7.01.MSR_RSP0=0x1.TakenAlone OCR.X\n";
        assert!(is_list(text));
        let found: Vec<String> = find(text)
            .iter()
            .map(|one| {
                let terms = one.code.as_ref().map_or("", |code| &code.terms);
                format!("{} | {terms}", &text[one.span.clone()])
            })
            .collect();
        assert_eq!(
            found,
            [
                "3C.00 CORE_CYCLES | event=0x3C,umask=0x00",
                "B7.01.MSR_RSP0=0x1.TakenAlone OCR.X | event=0xB7,umask=0x01,offcore_rsp=0x1",
            ]
        );
        for other in
            ["", "# 3C.00 X\n", "3C.00 X\nint main() {\n", "version 1.2\n", "1.2 3\nthe end\n"]
        {
            assert!(!is_list(other), "{other}");
        }
    }
}
