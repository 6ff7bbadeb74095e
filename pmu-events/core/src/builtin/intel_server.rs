//! Uncore PMUs of Intel's server CPUs, by family 6 model
//! (`arch/x86/events/intel/uncore_snbep.c`).

use crate::format::Formats;

use super::format;

/// The formats of a PMU, by its name in trees.
pub(super) fn of_pmu(model: u64, pmu: &str) -> Option<Formats<'static>> {
    Some(match model {
        // Sandy Bridge EP, Ivy Bridge EP, Haswell EP, Broadwell DE and EP
        0x2d | 0x3e | 0x3f | 0x56 | 0x4f => match (model, pmu) {
            (0x3f, "uncore_ubox") => HSWEP_UBOX,
            (_, "uncore_ubox") => SNBEP_UBOX,
            (0x2d, "uncore_cbox") => SNBEP_CBOX,
            (0x3e, "uncore_cbox") => IVBEP_CBOX,
            (_, "uncore_cbox") => HSWEP_CBOX,
            (0x3f | 0x4f | 0x56, "uncore_sbox") => HSWEP_SBOX,
            (_, "uncore_pcu") => SNBEP_PCU,
            (_, "uncore_qpi") => SNBEP_QPI,
            (_, "uncore_ha" | "uncore_imc" | "uncore_irp" | "uncore_r2pcie" | "uncore_r3qpi") => {
                SNBEP
            }
            _ => return None,
        },
        // Knights Landing, Knights Mill
        0x57 | 0x85 => match pmu {
            "uncore_ubox" => KNL_UBOX,
            "uncore_cha" => KNL_CHA,
            "uncore_pcu" => KNL_PCU,
            "uncore_irp" => KNL_IRP,
            "uncore_m2pcie" | "uncore_edc_eclk" | "uncore_edc_uclk" | "uncore_imc_dclk"
            | "uncore_imc_uclk" => SNBEP,
            _ => return None,
        },
        // Skylake SP and Cascade Lake; Ice Lake; Snow Ridge
        0x55 | 0x6a | 0x6c | 0x86 => match (model, pmu) {
            (_, "uncore_ubox") => SNBEP_UBOX,
            (0x55, "uncore_cha") => SKX_CHA,
            (_, "uncore_cha") => SNR_CHA,
            (0x55, "uncore_iio") => SKX_IIO,
            (_, "uncore_iio") => SNR_IIO,
            (_, "uncore_pcu") => SKX_PCU,
            (0x55, "uncore_upi") => SKX_UPI,
            (_, "uncore_upi") => ICX_UPI,
            (0x55, "uncore_m2m") => SKX,
            (_, "uncore_m2m") => SNR_M2M,
            (_, "uncore_iio_free_running" | "uncore_imc_free_running") => FREE_RUNNING,
            (_, "uncore_imc" | "uncore_irp" | "uncore_m2pcie" | "uncore_m3upi") => SKX,
            _ => return None,
        },
        // Sapphire and Emerald Rapids; Granite Rapids, Sierra Forest, Grand Ridge,
        // Clearwater Forest
        0x8f | 0xcf | 0xad | 0xae | 0xaf | 0xb6 | 0xdd => match pmu {
            "uncore_cha" => SPR_CHA,
            "uncore_iio" => SNR_IIO,
            "uncore_iio_free_running" | "uncore_imc_free_running" => FREE_RUNNING,
            "uncore_b2cmi" | "uncore_b2cxl" | "uncore_b2upi" | "uncore_cxlcm" | "uncore_cxldp"
            | "uncore_hbm" | "uncore_imc" | "uncore_irp" | "uncore_m2hbm" | "uncore_m2m"
            | "uncore_m2pcie" | "uncore_m3upi" | "uncore_mchbm" | "uncore_mdf" | "uncore_upi" => {
                SPR
            }
            "uncore_b2hot" | "uncore_chacms" | "uncore_pcu" | "uncore_ubox" => DISCOVERED,
            _ => return None,
        },
        _ => return None,
    })
}

formats! {
    pub(super),
    /// Most units from Sandy Bridge EP to Broadwell.
    SNBEP {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
    }

    /// The UBOX from Sandy Bridge EP to Ice Lake, without its filters.
    SNBEP_UBOX {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-28",
    }

    /// The CBOX of Sandy Bridge EP.
    SNBEP_CBOX {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "tid_en": "config:19",
        "inv": "config:23",
        "thresh": "config:24-31",
        "filter_tid": "config1:0-4",
        "filter_nid": "config1:10-17",
        "filter_state": "config1:18-22",
        "filter_opc": "config1:23-31",
    }

    /// The PCU from Sandy Bridge EP to Broadwell.
    SNBEP_PCU {
        "event": "config:0-7",
        "occ_sel": "config:14-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-28",
        "occ_invert": "config:30",
        "occ_edge": "config:14-51",
        "filter_band0": "config1:0-7",
        "filter_band1": "config1:8-15",
        "filter_band2": "config1:16-23",
        "filter_band3": "config1:24-31",
    }

    /// QPI from Sandy Bridge EP to Broadwell.
    SNBEP_QPI {
        "event": "config:0-7,21",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
        "match_rds": "config1:48-51",
        "match_rnid30": "config1:32-35",
        "match_rnid4": "config1:31",
        "match_dnid": "config1:13-17",
        "match_mc": "config1:9-12",
        "match_opc": "config1:5-8",
        "match_vnw": "config1:3-4",
        "match0": "config1:0-31",
        "match1": "config1:32-63",
        "mask_rds": "config2:48-51",
        "mask_rnid30": "config2:32-35",
        "mask_rnid4": "config2:31",
        "mask_dnid": "config2:13-17",
        "mask_mc": "config2:9-12",
        "mask_opc": "config2:5-8",
        "mask_vnw": "config2:3-4",
        "mask0": "config2:0-31",
        "mask1": "config2:32-63",
    }

    /// The CBOX of Ivy Bridge EP.
    IVBEP_CBOX {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "tid_en": "config:19",
        "thresh": "config:24-31",
        "filter_tid": "config1:0-4",
        "filter_link": "config1:5-8",
        "filter_state": "config1:17-22",
        "filter_nid": "config1:32-47",
        "filter_opc": "config1:52-60",
        "filter_nc": "config1:62",
        "filter_c6": "config1:61",
        "filter_isoc": "config1:63",
    }

    /// The UBOX of Haswell EP.
    HSWEP_UBOX {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-28",
        "filter_tid": "config1:0",
        "filter_cid": "config1:5",
    }

    /// The CBOX of Haswell EP and Broadwell.
    HSWEP_CBOX {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "tid_en": "config:19",
        "thresh": "config:24-31",
        "filter_tid": "config1:0-5",
        "filter_link": "config1:6-8",
        "filter_state": "config1:17-23",
        "filter_nid": "config1:32-47",
        "filter_opc": "config1:52-60",
        "filter_nc": "config1:62",
        "filter_c6": "config1:61",
        "filter_isoc": "config1:63",
    }

    /// The SBOX of Haswell EP and Broadwell.
    HSWEP_SBOX {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "tid_en": "config:19",
        "inv": "config:23",
        "thresh": "config:24-31",
    }

    /// The UBOX of Knights Landing.
    KNL_UBOX {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "tid_en": "config:19",
        "inv": "config:23",
        "thresh": "config:24-28",
    }

    /// The CHA of Knights Landing.
    KNL_CHA {
        "event": "config:0-7",
        "umask": "config:8-15",
        "qor": "config:16",
        "edge": "config:18",
        "tid_en": "config:19",
        "inv": "config:23",
        "thresh": "config:24-31",
        "filter_tid": "config1:0-8",
        "filter_link": "config1:12",
        "filter_state": "config1:18-20",
        "filter_local": "config1:33",
        "filter_all_op": "config1:35",
        "filter_nnm": "config1:37",
        "filter_opc": "config1:41-60",
        "filter_nc": "config1:62",
        "filter_isoc": "config1:63",
    }

    /// The PCU of Knights Landing.
    KNL_PCU {
        "event": "config:0-6",
        "use_occ_ctr": "config:7",
        "occ_sel": "config:14-15",
        "edge": "config:18",
        "tid_en": "config:19",
        "inv": "config:23",
        "thresh": "config:24-29",
        "occ_invert": "config:30",
        "occ_edge_det": "config:31",
    }

    /// M2PCIe and the IRP of Knights Landing.
    KNL_IRP {
        "event": "config:0-7",
        "umask": "config:8-15",
        "qor": "config:16",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
    }

    /// Most units from Skylake SP to Ice Lake.
    SKX {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
    }

    /// The CHA of Skylake SP and Cascade Lake.
    SKX_CHA {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "tid_en": "config:19",
        "inv": "config:23",
        "thresh": "config:24-31",
        "filter_tid": "config1:0-8",
        "filter_state": "config1:17-26",
        "filter_rem": "config1:32",
        "filter_loc": "config1:33",
        "filter_nm": "config1:36",
        "filter_all_op": "config1:35",
        "filter_not_nm": "config1:37",
        "filter_opc0": "config1:41-50",
        "filter_opc1": "config1:51-60",
        "filter_nc": "config1:62",
        "filter_isoc": "config1:63",
    }

    /// The IIO of Skylake SP and Cascade Lake.
    SKX_IIO {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-35",
        "ch_mask": "config:36-43",
        "fc_mask": "config:44-46",
    }

    /// The PCU from Skylake SP to Ice Lake.
    SKX_PCU {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
        "occ_invert": "config:30",
        "occ_edge_det": "config:31",
        "filter_band0": "config1:0-7",
        "filter_band1": "config1:8-15",
        "filter_band2": "config1:16-23",
        "filter_band3": "config1:24-31",
    }

    /// UPI of Skylake SP and Cascade Lake.
    SKX_UPI {
        "event": "config:0-7",
        "umask": "config:8-15,32-43,45-55",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
    }

    /// Free-running counters since Skylake SP.
    FREE_RUNNING {
        "event": "config:0-7",
        "umask": "config:8-15",
    }

    /// The CHA of Snow Ridge and Ice Lake.
    SNR_CHA {
        "event": "config:0-7",
        "umask": "config:8-15,32-57",
        "edge": "config:18",
        "tid_en": "config:19",
        "inv": "config:23",
        "thresh": "config:24-31",
        "filter_tid": "config1:0-9",
    }

    /// The IIO since Snow Ridge.
    SNR_IIO {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-35",
        "ch_mask": "config:36-47",
        "fc_mask": "config:48-50",
    }

    /// M2M of Snow Ridge and Ice Lake.
    SNR_M2M {
        "event": "config:0-7",
        "umask": "config:8-15,32-39",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
    }

    /// UPI of Ice Lake.
    ICX_UPI {
        "event": "config:0-7",
        "umask": "config:8-15,32-55",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
    }

    /// The CHA since Sapphire Rapids.
    SPR_CHA {
        "event": "config:0-7",
        "umask": "config:8-15,32-63",
        "tid_en": "config:16",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
        "filter_tid": "config1:0-9",
    }

    /// Most units since Sapphire Rapids, whose unit mask is wide.
    SPR {
        "event": "config:0-7",
        "umask": "config:8-15,32-55",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
    }

    /// Units since Sapphire Rapids that the driver only knows from the
    /// hardware's discovery tables
    /// (`arch/x86/events/intel/uncore_discovery.c`).
    DISCOVERED {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "thresh": "config:24-31",
    }
}
