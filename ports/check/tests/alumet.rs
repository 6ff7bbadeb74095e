//! The plugin `perf` of alumet, with as much of alumet as it calls.
#![allow(dead_code)]

extern crate self as alumet;

pub mod measurement {
    use crate::metrics::TypedMetricId;
    use crate::resources::{Resource, ResourceConsumer};

    #[derive(Clone, Copy)]
    pub struct Timestamp;
    pub struct MeasurementPoint;

    impl MeasurementPoint {
        pub fn new(
            _: Timestamp,
            _: TypedMetricId<u64>,
            _: Resource,
            _: ResourceConsumer,
            _: u64,
        ) -> Self {
            Self
        }
    }

    #[derive(Default)]
    pub struct MeasurementAccumulator(pub usize);

    impl MeasurementAccumulator {
        pub fn push(&mut self, _: MeasurementPoint) {
            self.0 += 1;
        }
    }
}

pub mod metrics {
    #[derive(Clone, Copy)]
    pub struct TypedMetricId<T>(pub T);
}

pub mod pipeline {
    use crate::measurement::{MeasurementAccumulator, Timestamp};

    pub trait Source: Send {
        fn poll(
            &mut self,
            measurements: &mut MeasurementAccumulator,
            timestamp: Timestamp,
        ) -> Result<(), elements::error::PollError>;
    }

    pub mod elements {
        pub mod error {
            #[derive(Debug)]
            pub struct PollError;
        }
    }
}

pub mod resources {
    pub enum Resource {
        LocalMachine,
        CpuCore { id: u32 },
    }

    #[derive(Clone, Debug)]
    pub enum ResourceConsumer {
        Process { pid: u32 },
        ControlGroup { path: std::borrow::Cow<'static, str> },
    }
}

#[path = "../../alumet/files/plugins/perf/src/source.rs"]
mod source;
#[path = "../../alumet/files/plugins/perf/src/spec.rs"]
mod spec;

#[test]
fn each_event_has_a_point() {
    use pipeline::Source;

    // Of the tests, each has a thread.
    let thread = std::fs::read_link("/proc/thread-self").unwrap();
    let pid = thread.file_name().unwrap().to_str().unwrap().parse().unwrap();
    let mut builder =
        source::PerfEventSourceBuilder::observe(source::Observable::Process { pid }).unwrap();
    for text in ["PAGE_FAULTS", "task-clock"] {
        let parsed = spec::parse(&spec::EventEntry::Simple(text.to_owned())).unwrap();
        builder.add(&parsed.event, metrics::TypedMetricId(0)).unwrap();
    }
    match builder.build() {
        Ok(mut source) => {
            let mut measurements = measurement::MeasurementAccumulator::default();
            source.poll(&mut measurements, measurement::Timestamp).unwrap();
            assert_eq!(measurements.0, 2);
        }
        Err(error) => assert!(error.to_string().contains("perf_event"), "{error}"),
    }
}
