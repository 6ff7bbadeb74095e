//! A simulated kernel, and the sysfs and procfs that go with it.

use std::fmt::Write;

use pmu_events::System;
use simulated_kernel::kernel::Kernel;
use simulated_kernel::machine::{Machine as Hardware, Pmu};
use simulated_kernel::world::{Group, Kind, Tid};
use simulated_kernel::{Entered, Simulation};

use crate::machines::Machine;

pub const MILLISECOND: u64 = 1_000_000;

/// The task that opens the counters.
pub const SELF: Tid = 100;

/// Types of PMUs.
pub const BIG: u32 = 4;
pub const LITTLE: u32 = 10;
pub const MEMORY: [u32; 2] = [20, 21];

/// Which cores the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// Four of one kind.
    Alike,
    /// Two big ones, and two little ones.
    Hybrid,
}

pub struct Laboratory {
    pub simulation: Simulation,
    machine: Machine,
    _entered: Entered,
}

impl Laboratory {
    pub fn new(cores: Cores) -> Self {
        Laboratory::with_cpus(cores, 4)
    }

    /// With more or fewer CPUs, all of one kind.
    pub fn with_cpus(cores: Cores, cpus: u32) -> Self {
        let (hardware, text) = match cores {
            Cores::Alike => (Hardware::with_cores(cpus.max(4), 3), "cpu\t4\t\n"),
            Cores::Hybrid => (
                Hardware {
                    cpus: 4,
                    pmus: vec![
                        Pmu::core(BIG, Some([0, 1].into()), 3),
                        Pmu::core(LITTLE, Some([2, 3].into()), 2),
                    ],
                },
                "cpu_core\t4\t0-1\ncpu_atom\t10\t2-3\n",
            ),
        };
        let mut hardware = hardware;
        let last = hardware.cpus - 1;
        let mut lines = format!(
            "/devices/system/cpu/online\t0-{last}\n/devices/system/cpu/present\t0-{last}\n\
             software/type\t1"
        );
        for pmu in text.lines() {
            let [name, type_, cpus] = pmu.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{pmu}")
            };
            write!(lines, "\n{name}/type\t{type_}\n{name}/format/event\tconfig:0-7").unwrap();
            let list = if cores == Cores::Hybrid {
                format!("\n{name}/cpus\t{cpus}")
            } else {
                String::new()
            };
            lines.push_str(&list);
        }
        for (n, (type_, cpu)) in MEMORY.into_iter().zip([0, 2]).enumerate() {
            hardware.pmus.push(Pmu::uncore(type_, [cpu].into(), 2));
            let name = format!("uncore_imc_{n}");
            write!(
                lines,
                "\n{name}/type\t{type_}\n{name}/cpumask\t{cpu}\n{name}/format/event\tconfig:0-7"
            )
            .unwrap();
        }
        let mut kernel = Kernel::new(hardware);
        kernel.spawn(SELF, 0);
        let simulation = Simulation::new(kernel);
        let machine = Machine::of(&lines);
        simulation.set_sysfs(machine.root());
        let entered = simulation.enter(SELF);
        let laboratory = Laboratory { simulation, machine, _entered: entered };
        laboratory.machine.write("/proc/self", "");
        laboratory.tell_of(SELF);
        laboratory
    }

    /// This machine, as sysfs and procfs describe it.
    pub fn system(&self) -> System {
        self.machine.system().with_proc(self.machine.root().join("proc"))
    }

    pub fn write(&self, path: &str, text: &str) {
        self.machine.write(path, text);
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.machine.path(path)).expect("it is there");
    }

    pub fn kernel(&self) -> std::sync::MutexGuard<'_, Kernel> {
        self.simulation.kernel()
    }

    /// Lets a task run on a CPU for some milliseconds, and wait again.
    pub fn work(&self, task: Tid, cpu: u32, milliseconds: u64) {
        let mut kernel = self.kernel();
        kernel.place(task, Some(cpu)).expect("the CPU is online");
        kernel.run(milliseconds * MILLISECOND);
        kernel.place(task, None).expect("it may wait");
        drop(kernel);
        self.tell_of(task);
    }

    pub fn spawn(&self, task: Tid) {
        self.kernel().spawn(task, 0);
        self.tell_of(task);
    }

    pub fn exit(&self, task: Tid) {
        self.kernel().exit(task);
        std::fs::remove_dir_all(self.machine.path(&format!("/proc/{task}"))).expect("it was there");
    }

    /// Ends a task, unless it has ended before.
    pub fn exit_if_there(&self, task: Tid) {
        let is_alive = self.kernel().world().tasks.get(&task).is_some_and(|task| task.is_alive);
        if is_alive {
            self.exit(task);
        }
    }

    /// Takes a CPU away or brings it back.
    pub fn set_online(&self, cpu: u32, is_online: bool) {
        self.kernel().set_online(cpu, is_online);
        let online: Vec<String> = self.kernel().online().iter().map(u32::to_string).collect();
        self.write("/devices/system/cpu/online", &format!("{}\n", online.join(",")));
    }

    /// A control group, and its directory.
    pub fn group(&self, number: Group) -> pmu_events::open::Cgroup {
        let path = self.machine.path(&format!("/cgroup/{number}"));
        std::fs::create_dir_all(&path).expect("the scratch directory can be written");
        self.kernel().make_group(number, 0);
        self.simulation.set_directory(&path, number);
        pmu_events::open::Cgroup::open(&path).expect("it is a directory")
    }

    /// Brings the files of a task up to date.
    pub fn tell_of(&self, task: Tid) {
        let ran = {
            let kernel = self.kernel();
            kernel.world().time((0, kernel.now()), |run| run.task == task)
        };
        // SAFETY: it asks for a number.
        let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) } as u64;
        let ticks = ran * a_second / 1_000_000_000;
        let stat = format!("{task} (a) R 1 1 1 0 -1 64 0 0 0 0 {ticks} 0 0 0 20 0 1 0");
        for file in ["stat", &format!("task/{task}/stat")] {
            self.write(&format!("/proc/{task}/{file}"), &stat);
        }
        self.write(&format!("/proc/{task}/task/{task}/children"), "");
        self.write(&format!("/proc/{task}/status"), &format!("Tgid:\t{task}\n"));
    }

    /// How often an event of a PMU truly occurred in user space on some CPUs since a moment.
    pub fn truth(&self, kind: Kind, since: u64, task: Option<Tid>, cpus: &[u32]) -> u64 {
        let kernel = self.kernel();
        let is_meant = |run: &simulated_kernel::world::Run| {
            task.is_none_or(|task| run.task == task) && (cpus.is_empty() || cpus.contains(&run.cpu))
        };
        let levels = kernel.world().truth(kind, (since, kernel.now()), is_meant);
        levels.user + levels.kernel
    }
}

pub fn event(type_: u32, config: u64) -> Kind {
    Kind { type_, config, config1: 0 }
}
