//! The keys of an event tree's JSON, and what each becomes.
//!
//! Use it when you write an event tree, or read one without this crate.
//!
//! The files of a model are arrays of objects. An object describes an event, a
//! metric, or both. The format is that of Linux's `tools/perf/pmu-events/arch`,
//! which `tools/perf/pmu-events/jevents.py` reads; the column *Linux* has the
//! oldest of the versions 6.1, 6.12, 6.17 and 7.3 whose trees use the key. Keys marked
//! with † are not read by perf and are kept because programs need them.
//!
//! Types:
//!
//! * *text*: a JSON string. Empty texts and `null` are as good as a missing key.
//! * *number*: a string that holds a decimal number, or a hexadecimal one with
//!   `0x`. Zero is as good as a missing key.
//! * *flag*: `"0"` or `"1"`.
//!
//! An unknown key is a warning with a suggestion, or an error with
//! `unknown = deny`.
//!
//! # What an event is
//!
//! | key | type | becomes | Linux | example |
//! |---|---|---|---|---|
//! | `EventName` | text | [`Event::name`]; compared without regard to case | 6.1 | `"EventName": "L1D.MISS"` |
//! | `ArchStdEvent` | text | everything that the object itself leaves out, from the architecture standard event of that name | 6.1 | `"ArchStdEvent": "STANDARD"` |
//! | `Unit` | text | [`Event::pmu`]: perf's name for the unit, otherwise `uncore_` and the text in lower case; without the key, the core PMU | 6.1 | `"Unit": "CBO"` |
//! | `Compat` | text | [`Event::compat`]: in a `sys` directory, an expression that must match the `identifier` of the PMU in sysfs | 6.1 | `"Compat": "v1"` |
//! | `BriefDescription` | text | [`Event::description`] | 6.1 | `"BriefDescription": "Misses of the L1 data cache."` |
//! | `PublicDescription` | text | [`Event::long_description`] | 6.1 | `"PublicDescription": "Misses of the L1 data cache, prefetches included."` |
//! | `Deprecated` | flag | [`Event::is_deprecated`] | 6.1 | `"Deprecated": "1"` |
//! | `Experimental` † | flag | [`Event::is_experimental`] | 6.12 | `"Experimental": "1"` |
//! | `Errata` | text | [`Event::errata`] | 6.1 | `"Errata": "ACM12"` |
//!
//! # Its code
//!
//! The code and the fields become the terms of [`Event::event_string`], in this
//! order. Of the first four keys, the first that is there counts.
//!
//! | key | type | term | Linux | example |
//! |---|---|---|---|---|
//! | `ConfigCode` | number | `config=` | 6.1 | `"ConfigCode": "0x1c"` |
//! | `EventidCode` | number | `eventid=` | 6.12 | `"EventidCode": "0x5"` |
//! | `LegacyConfigCode` | number | `legacy-hardware-config=` | 7.3 | `"LegacyConfigCode": "1"` |
//! | `LegacyCacheCode` | number | `legacy-cache-config=` | 7.3 | `"LegacyCacheCode": "0x10000"` |
//! | `EventCode` | number, or a list of which the first counts | `event=` | 6.1 | `"EventCode": "0x24"` |
//! | `ExtSel` | decimal number | bits 8 and above of `event=` | 6.1 | `"ExtSel": "1"` |
//! | `AnyThread` | number | `any=` | 6.1 | `"AnyThread": "1"` |
//! | `PortMask` | number | `ch_mask=` | 6.1 | `"PortMask": "0x1"` |
//! | `CounterMask` | number | `cmask=` | 6.1 | `"CounterMask": "4"` |
//! | `EdgeDetect` | number | `edge=` | 6.1 | `"EdgeDetect": "1"` |
//! | `FCMask` | number | `fc_mask=` | 6.1 | `"FCMask": "0x7"` |
//! | `Invert` | number | `inv=` | 6.1 | `"Invert": "1"` |
//! | `SampleAfterValue` | number | `period=`, and [`Event::sample_after`] | 6.1 | `"SampleAfterValue": "200003"` |
//! | `UMask` | number | `umask=` | 6.1 | `"UMask": "0x41"` |
//! | `NodeType` | number | `type=` | 6.12 | `"NodeType": "0x5"` |
//! | `RdWrMask` | number | `rdwrmask=` | 6.12 | `"RdWrMask": "0x3"` |
//! | `EnAllCores` | number | `enallcores=` | 6.12 | `"EnAllCores": "1"` |
//! | `EnAllSlices` | number | `enallslices=` | 6.12 | `"EnAllSlices": "1"` |
//! | `SliceId` | number | `sliceid=` | 6.12 | `"SliceId": "0x2"` |
//! | `ThreadMask` | number | `threadmask=` | 6.12 | `"ThreadMask": "0x3"` |
//! | `Filter` | text | the text itself | 6.1 | `"Filter": "filter_opc=0x182"` |
//! | `MSRIndex` | number, or a list of which the first counts | the term of the register: `ldlat=`, `offcore_rsp=`, `frontend=`, `offmodule_rsp=`; and [`Event::msr`] | 6.1 | `"MSRIndex": "0x3F6", "MSRValue": "0x80"` |
//! | `MSRValue` | number | the value of that term | 6.1 | `"MSRIndex": "0x1a6,0x1a7", "MSRValue": "0x10001"` |
//!
//! Six names have the same event string on every CPU, as in perf, whatever their keys say:
//! `INST_RETIRED.ANY`, `INST_RETIRED.ANY_P`, `CPU_CLK_UNHALTED.REF`, `.THREAD`, `.CORE` and
//! `.THREAD_ANY`. The terms of their keys are [`Event::vendor_event_string`], which
//! [`register`](https://docs.rs/pmu-events-register) programs.
//!
//! # How it counts
//!
//! | key | type | becomes | Linux | example |
//! |---|---|---|---|---|
//! | `Counter` † | a list such as `0,1`, `0-3`, `Fixed counter 1`, `FREERUN` | [`Event::counters`] | 6.1 | `"Counter": "0,1,2,3"` |
//! | `PEBS` | `"1"`: may be sampled precisely; `"2"`: must be | [`Event::precise`] | 6.1 | `"PEBS": "1"` |
//! | `TakenAlone` † | flag | [`Event::is_taken_alone`] | 6.1, but not 6.12 or 6.17 | `"TakenAlone": "1"` |
//! | `Data_LA` | flag | [`Event::has_data_address`] | 6.1 | `"Data_LA": "1"` |
//! | `PerPkg` | flag | [`Event::is_per_package`] | 6.1 | `"PerPkg": "1"` |
//! | `ScaleUnit` | a number followed by a unit | [`Event::scale_unit`]: the factor and the unit of a count | 6.1 | `"ScaleUnit": "64Bytes"` |
//! | `CountUnit` † | `Bytes`, `Cycles` or `Occurrences` after a number or a fraction, if it is not 1 | [`Event::count_unit`]: what one count stands for; perf does not know it | none | `"CountUnit": "64Bytes"` |
//! | `CountScope` † | `thread`, `core`, `cluster` or `package` | [`Event::count_scope`]: what the count covers | none | `"CountScope": "core"` |
//! | `RetirementLatencyMean` † | number with or without quotes | [`Event::retirement_latency`] | 6.17 | `"RetirementLatencyMean": "3.5"` |
//! | `RetirementLatencyMin` † | number with or without quotes | the same | 6.17 | `"RetirementLatencyMin": 0` |
//! | `RetirementLatencyMax` † | number with or without quotes | the same | 6.17 | `"RetirementLatencyMax": 3939` |
//!
//! # What perf has instead
//!
//! perf's tree has lost some facts of its source, Intel's perfmon. A tree that has
//! kept them can say what perf counts under the same name; the keys are this
//! project's own, and Linux has none of them. With `encoding = perf` the event is
//! as perf has it, and `TakenAlone` and `MSRUMask` have no effect.
//!
//! | key | type | becomes | Linux | example |
//! |---|---|---|---|---|
//! | `PerfLoses` † | one or several of `UMaskExt`, `ExtSel`, `Register`, `Filter`, `Precise`, with `,` between them | the reasons of [`Event::perf_differs`] | none | `"PEBS": "1", "PerfLoses": "Precise"` |
//! | `PerfEvent` † | terms | perf's event string, if it loses more than `Precise` | none | `"EventCode": "0x2", "ExtSel": "1", "PerfLoses": "ExtSel", "PerfEvent": "event=2"` |
//! | `PerfEvidence` † | parts with `;` between them: versions of Linux after `wrong in`, `right in`, `imprecise in` or `precise in`; `driver`, `libpfm4`, `not libpfm4`, `shared`; or `in no tree` | [`PerfDiffers::versions`](crate::event::PerfDiffers::versions) and [`evidence`](crate::event::PerfDiffers::evidence) | none | `"EventCode": "0x2", "ExtSel": "1", "PerfLoses": "ExtSel", "PerfEvent": "event=2", "PerfEvidence": "wrong in 6.12,6.17; right in 6.1; driver"` |
//! | `MSRUMask` † | a list of numbers | [`Event::msr_umasks`]: the umask of each register of `MSRIndex`, the first of which is `UMask` | none | `"UMask": "1", "MSRIndex": "0x3e0,0x3e1", "MSRValue": "1", "MSRUMask": "1,2"` |
//!
//! # Metrics
//!
//! | key | type | becomes | Linux | example |
//! |---|---|---|---|---|
//! | `MetricName` | text | [`Metric::name`] | 6.1 | `"MetricName": "ipc", "MetricExpr": "1 / 2"` |
//! | `MetricExpr` | formula ([`expr`](crate::expr)) | [`Metric::expression`] | 6.1 | `"MetricName": "m", "MetricExpr": "BASE / duration_time"` |
//! | `MetricThreshold` | formula | [`Metric::threshold`] | 6.12 | `"MetricName": "m", "MetricExpr": "BASE", "MetricThreshold": "m > 0.1"` |
//! | `MetricGroup` | names with `;` between them | [`Metric::groups`] | 6.1 | `"MetricName": "m", "MetricExpr": "BASE", "MetricGroup": "Cache;Memory"` |
//! | `MetricgroupNoGroup` | names with `;` between them | [`Metric::no_group`] | 6.12 | `"MetricName": "m", "MetricExpr": "BASE", "MetricgroupNoGroup": "TopdownL1"` |
//! | `DefaultMetricgroupName` | text | [`Metric::default_group`] | 6.12 | `"MetricName": "m", "MetricExpr": "BASE", "DefaultMetricgroupName": "TopdownL1"` |
//! | `MetricConstraint` | `NO_GROUP_EVENTS`, `NO_GROUP_EVENTS_NMI`, `NO_NMI_WATCHDOG`, `NO_GROUP_EVENTS_SMT`, `NO_THRESHOLD_AND_NMI` | [`Metric::constraint`] | 6.1 | `"MetricName": "m", "MetricExpr": "BASE", "MetricConstraint": "NO_GROUP_EVENTS"` |
//! | `AggregationMode` | `PerChip`, `PerCore` | [`Metric::aggregation`] | 6.1 | `"MetricName": "m", "MetricExpr": "BASE", "AggregationMode": "PerChip"` |
//! | `SampleWith` † | names of events with `;` between them | [`Metric::sample_with`] | no | `"MetricName": "m", "MetricExpr": "BASE", "SampleWith": "BASE"` |
//! | `Difference` † | text | [`Metric::difference`] | no | `"MetricName": "m", "MetricExpr": "BASE", "Difference": "Prefetches count."` |
//! | `DefaultShowEvents` † | flag | [`Metric::shows_events`] | 7.3 | `"MetricName": "m", "MetricExpr": "BASE", "DefaultShowEvents": "1"` |
//!
//! # Counters of a unit
//!
//! In `counter.json`, an object has a `Unit` and the number of its counters.
//!
//! | key | type | becomes | Linux | example |
//! |---|---|---|---|---|
//! | `CountersNumGeneric` † | number with or without quotes | the general-purpose counters of the unit | 6.12 | `"CountersNumGeneric": "8"` |
//! | `CountersNumFixed` † | number with or without quotes | its fixed counters | 6.12 | `"CountersNumFixed": 4` |
//!
//! [`Event::name`]: crate::Event::name
//! [`Event::pmu`]: crate::Event::pmu
//! [`Event::compat`]: crate::Event::compat
//! [`Event::description`]: crate::Event::description
//! [`Event::long_description`]: crate::Event::long_description
//! [`Event::is_deprecated`]: crate::Event::is_deprecated
//! [`Event::is_experimental`]: crate::Event::is_experimental
//! [`Event::errata`]: crate::Event::errata
//! [`Event::event_string`]: crate::Event::event_string
//! [`Event::vendor_event_string`]: crate::Event::vendor_event_string
//! [`Event::sample_after`]: crate::Event::sample_after
//! [`Event::msr`]: crate::Event::msr
//! [`Event::counters`]: crate::Event::counters
//! [`Event::precise`]: crate::Event::precise
//! [`Event::is_taken_alone`]: crate::Event::is_taken_alone
//! [`Event::msr_umasks`]: crate::Event::msr_umasks
//! [`Event::perf_differs`]: crate::Event::perf_differs
//! [`Event::has_data_address`]: crate::Event::has_data_address
//! [`Event::is_per_package`]: crate::Event::is_per_package
//! [`Event::scale_unit`]: crate::Event::scale_unit
//! [`Event::count_unit`]: crate::Event::count_unit
//! [`Event::count_scope`]: crate::Event::count_scope
//! [`Event::retirement_latency`]: crate::Event::retirement_latency
//! [`Metric::name`]: crate::Metric::name
//! [`Metric::expression`]: crate::Metric::expression
//! [`Metric::threshold`]: crate::Metric::threshold
//! [`Metric::groups`]: crate::Metric::groups
//! [`Metric::no_group`]: crate::Metric::no_group
//! [`Metric::default_group`]: crate::Metric::default_group
//! [`Metric::constraint`]: crate::Metric::constraint
//! [`Metric::aggregation`]: crate::Metric::aggregation
//! [`Metric::difference`]: crate::Metric::difference
//! [`Metric::sample_with`]: crate::Metric::sample_with
//! [`Metric::shows_events`]: crate::Metric::shows_events
