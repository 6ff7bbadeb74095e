//! Fields that are the values of one key each. An event takes those that it lacks from its
//! standard event.

use super::fields::{Fields, Value};
use super::keys::Key;

/// Defines a group of fields: how `Fields` reads each, and its key. Those that are no texts
/// follow, with their types.
macro_rules! stated {
    (
        $(#[$doc:meta])*
        $group:ident {
            $( $text:ident: $read_text:ident($text_key:ident), )*
            $( ; $(
                $(#[$field_doc:meta])*
                $field:ident: $type:ty = $read:ident($key:ident, $argument:expr),
            )* )?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default)]
        pub(crate) struct $group<'t> {
            $( pub(crate) $text: Option<Value<'t>>, )*
            $( $( $(#[$field_doc])* pub(crate) $field: Option<$type>, )* )?
        }

        impl<'t> $group<'t> {
            pub(crate) fn read(fields: &mut Fields<'_, 't>) -> Self {
                $group {
                    $( $text: fields.$read_text(Key::$text_key), )*
                    $( $( $field: fields.$read(Key::$key, $argument), )* )?
                }
            }

            /// Takes each field that is missing.
            pub(crate) fn inherit(&mut self, standard: &Self) {
                $(
                    if self.$text.is_none() {
                        self.$text.clone_from(&standard.$text);
                    }
                )*
                $( $( self.$field = self.$field.or(standard.$field); )* )?
            }

            /// The texts that there are.
            pub(crate) fn texts(&self) -> impl Iterator<Item = (Key, &Value<'t>)> {
                let all = [ $( (Key::$text_key, &self.$text), )* ];
                all.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?)))
            }
        }
    };
}

stated! {
    /// Texts of an event that are stored as they are; metrics have the first two.
    Texts {
        scale_unit: string(ScaleUnit),
        compat: string(Compat),
        errata: string(Errata),
        latency_mean: loose(RetirementLatencyMean),
        latency_min: loose(RetirementLatencyMin),
        latency_max: loose(RetirementLatencyMax),
    }
}

stated! {
    /// The fields of a metric.
    Metric {
        name: string(MetricName),
        expression: string(MetricExpr),
        threshold: string(MetricThreshold),
        groups: string(MetricGroup),
        no_group: string(MetricgroupNoGroup),
        default_group: string(DefaultMetricgroupName),
        sample_with: string(SampleWith),
        difference: string(Difference),
        ;
        /// 1 per chip, 2 per core.
        aggregation: u8 = word(AggregationMode, AGGREGATIONS),
        /// As `wire::record::MetricRecord` numbers them.
        constraint: u8 = word(MetricConstraint, CONSTRAINTS),
        show_events: bool = loose_flag(DefaultShowEvents, None),
    }
}

const AGGREGATIONS: &[(&str, u8)] = &[("PerChip", 1), ("PerCore", 2)];

const CONSTRAINTS: &[(&str, u8)] = &[
    ("NO_GROUP_EVENTS", 1),
    ("NO_GROUP_EVENTS_NMI", 2),
    ("NO_NMI_WATCHDOG", 2),
    ("NO_GROUP_EVENTS_SMT", 3),
    ("NO_THRESHOLD_AND_NMI", 4),
];
