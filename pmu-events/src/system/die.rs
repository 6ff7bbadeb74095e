//! The numbers of a CPU's package and die, which tell where an event of a whole
//! package counts.

use std::collections::BTreeMap;
use std::io::ErrorKind as Io;
use std::sync::{Mutex, PoisonError};
use std::{format, fs};

use super::topology::Topology;
use crate::sysfs::Problem;

/// The numbers of a CPU's package and die; `None` if there is no such file.
pub(crate) type Die = (Option<i64>, Option<i64>);

/// The dies of the CPUs that were asked for.
#[derive(Debug, Default)]
pub(super) struct Dies {
    known: Mutex<BTreeMap<u32, Die>>,
}

impl Topology {
    /// The package and the die of a CPU.
    pub(crate) fn die(&self, cpu: u32) -> Result<Die, Problem> {
        let mut known = self.dies.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&die) = known.get(&cpu) {
            return Ok(die);
        }
        let die = (self.number(cpu, "physical_package_id")?, self.number(cpu, "die_id")?);
        known.insert(cpu, die);
        Ok(die)
    }

    fn number(&self, cpu: u32, file: &str) -> Result<Option<i64>, Problem> {
        let path = self.file(cpu, file);
        match fs::read_to_string(&path) {
            Ok(text) => match text.trim().parse() {
                Ok(number) => Ok(Some(number)),
                Err(why) => Err(Problem::new(&path, format!("{why}"))),
            },
            Err(error) if error.kind() == Io::NotFound => Ok(None),
            Err(error) => Err(Problem::io(&path, error)),
        }
    }
}
