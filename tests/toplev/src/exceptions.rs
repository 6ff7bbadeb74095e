//! Metrics whose values or thresholds differ, and why.

use crate::except::{Exception, except};

const NUKES: &str = "toplev divides tma_other_nukes by itself, so all machine clears count as \
                     one kind (UPSTREAM.md); ours is right";
const X87: &str = "toplev multiplies a number of slots where the others multiply a share of \
                   them; ours, perfmon's, is right";
const STREAM_DETECTOR: &str = "toplev adds the loop stream detector, which microcode has turned \
                               off (erratum SKL150); neither is wrong";
const FETCHED: &str = "toplev divides by the uops that were issued, perfmon by those that the front \
                       end delivered; neither is wrong";
const SHARED_LINES: &str = "toplev takes all hits on lines that another core changed for \
                            transfers of changed data, perfmon the part that offcore responses \
                            say; ours is right";
const NANOSECONDS: &str = "perfmon has latencies in nanoseconds that Intel measured on this server, \
                           toplev those of another model; ours is right";
const HALF_PRECISION: &str = "perfmon counts operations of half precision, toplev only with \
                              `--fp16`; ours is right";
const MATRICES: &str = "perfmon has tma_amx_busy in the whole, toplev lacks it; ours is right";
const QUEUE: &str = "perfmon takes twelve requests at once for a full queue, toplev four, as many as \
                     clients have channels; ours is right";
const SUMS: &str = "toplev adds the unit masks of which perfmon's event is the sum, which made-up \
                    counts do not know; neither is wrong";
const SAMPLED: &str = "toplev weighs each kind of branch with its sampled latency, perfmon divides \
                       tma_branch_mispredicts by the numbers of mispredictions; neither is wrong";
const OLDER: &str = "perfmon has a newer formula, with another event; ours is right";
const NEWER: &str = "toplev has tma_store_early_blk among the parts of tma_l1_bound, which perfmon \
                     lacks; neither is wrong";
const OTHER_NAMES: &str = "it subtracts metrics of which one differs for a listed reason and that the \
                           two name differently; neither is wrong";
const OTHER_MODEL: &str = "toplev takes another model's formulas for this one; ours are its own, \
                           and right";

const PACKAGES: &str = "toplev takes the cycles of one unit of each package for those of one, and \
                        the latency of DRAM lacks the time (UPSTREAM.md); ours is right";
const LIMIT: &str = "toplev takes 10 % for much, perfmon 20 %; neither is wrong";

pub const EXCEPTIONS: &[Exception] = &[
    except("*", "tma_bottleneck_irregular_overhead", NUKES),
    except("*", "tma_bottleneck_memory_synchronization", NUKES),
    except("sandybridge|jaketown|ivybridge|ivytown", "tma_x87_use", X87),
    except("skylake", "tma_info_botlnk_l2_dsb_*", STREAM_DETECTOR),
    except("skylake", "tma_info_frontend_dsb_coverage", STREAM_DETECTOR),
    except(
        "icelakex|sapphirerapids|emeraldrapids|graniterapids",
        "tma_info_frontend_dsb_coverage",
        FETCHED,
    ),
    except("icelakex", "tma_contested_accesses", SHARED_LINES),
    except("icelakex", "tma_data_sharing", SHARED_LINES),
    except("cascadelakex|sapphirerapids|emeraldrapids", "tma_contested_accesses", NANOSECONDS),
    except("cascadelakex|sapphirerapids|emeraldrapids", "tma_data_sharing", NANOSECONDS),
    except(
        "cascadelakex|sapphirerapids|emeraldrapids|graniterapids",
        "tma_false_sharing",
        NANOSECONDS,
    ),
    except("sapphirerapids|emeraldrapids|graniterapids", "tma_l2_hit_latency", NANOSECONDS),
    except(
        "cascadelakex|sapphirerapids|emeraldrapids|graniterapids",
        "tma_l3_hit_latency",
        NANOSECONDS,
    ),
    except("cascadelakex|sapphirerapids|emeraldrapids", "tma_local_mem", NANOSECONDS),
    except("cascadelakex|sapphirerapids|emeraldrapids", "tma_remote_*", NANOSECONDS),
    except("cascadelakex|lunarlake|arrowlake", "tma_bottleneck_other_bottlenecks", OTHER_NAMES),
    except("sapphirerapids|emeraldrapids|graniterapids", "tma_fp_*", HALF_PRECISION),
    except("sapphirerapids|emeraldrapids|graniterapids", "tma_info_inst_mix_ip*", HALF_PRECISION),
    except("sapphirerapids|emeraldrapids", "tma_info_core_flopc", HALF_PRECISION),
    except("sapphirerapids|emeraldrapids", "tma_info_system_gflops", HALF_PRECISION),
    except(
        "sapphirerapids|emeraldrapids|graniterapids",
        "tma_bottleneck_compute_bound_est",
        MATRICES,
    ),
    except("sapphirerapids|emeraldrapids|graniterapids", "tma_mem_bandwidth", QUEUE),
    except("sapphirerapids|emeraldrapids|graniterapids", "tma_info_system_io_write_bw", SUMS),
    except("graniterapids", "tma_*_mispredicts", SAMPLED),
    except("sapphirerapids|emeraldrapids", "tma_lock_latency", OLDER),
    except("sapphirerapids|emeraldrapids", "tma_split_loads", OLDER),
    except("lunarlake|arrowlake", "tma_bottleneck_memory_data_tlbs", NEWER),
    except("*", "tma_info_system_mem*_read_latency", PACKAGES),
    except("*", "tma_info_system_uncore_frequency", PACKAGES),
    except("elkhartlake", "tma_backend_bound", LIMIT),
    except("tigerlake", "tma_contested_accesses", OTHER_MODEL),
    except("tigerlake", "tma_data_sharing", OTHER_MODEL),
    except("tigerlake", "tma_false_sharing", OTHER_MODEL),
    except("tigerlake", "tma_l[23]_hit_latency", OTHER_MODEL),
    except("tigerlake|rocketlake", "tma_info_memory_l2mpki_all", OTHER_MODEL),
    except("rocketlake", "tma_ms", OTHER_MODEL),
    except("broadwellde", "tma_contested_accesses", OTHER_MODEL),
    except("broadwellde", "tma_data_sharing", OTHER_MODEL),
    except("broadwellde", "tma_l3_hit_latency", OTHER_MODEL),
    except("broadwellde", "tma_info_memory_tlb_page_walks_utilization", OTHER_MODEL),
    except("rocketlake", "tma_bottleneck_instruction_fetch_bw", OTHER_MODEL),
];
