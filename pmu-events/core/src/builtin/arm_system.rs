//! PMUs of Arm systems outside the cores whose driver has one layout for all
//! machines.

use crate::format::Formats;

use super::format;

/// The formats of a PMU, by its name in trees.
pub(super) const fn of_pmu(pmu: &str) -> Option<Formats<'static>> {
    Some(match pmu.as_bytes() {
        b"arm_cmn" => super::ARM_CMN,
        b"hisi_sccl,ddrc" | b"hisi_sccl,hha" | b"hisi_sccl,l3c" => HISI_SCCL,
        b"hisi_sicl,cpa" => HISI_CPA,
        b"imx8_ddr" => IMX8_DDR,
        b"imx9_ddr" => IMX9_DDR,
        b"ali_drw" => ALI_DRW,
        _ => return None,
    })
}

formats! {
    pub(super),
    /// HiSilicon's DDR controller, hydra home agent and L3: the terms common to
    /// all versions (`drivers/perf/hisilicon/hisi_uncore_*_pmu.c`).
    HISI_SCCL {
        "event": "config:0-7",
    }

    /// HiSilicon's coherency protocol agent
    /// (`drivers/perf/hisilicon/hisi_uncore_cpa_pmu.c`).
    HISI_CPA {
        "event": "config:0-15",
    }

    /// DDR of NXP's i.MX8 (`drivers/perf/fsl_imx8_ddr_perf.c`).
    IMX8_DDR {
        "event": "config:0-7",
        "axi_id": "config1:0-15",
        "axi_mask": "config1:16-31",
        "axi_port": "config2:0-2",
        "axi_channel": "config2:3",
    }

    /// DDR of NXP's i.MX9 (`drivers/perf/fsl_imx9_ddr_perf.c`).
    IMX9_DDR {
        "event": "config:0-7,16-23",
        "counter": "config:8-15",
        "axi_id": "config1:0-17",
        "axi_mask": "config2:0-17",
    }

    /// DDR of Alibaba's Yitian 710 (`drivers/perf/alibaba_uncore_drw_pmu.c`).
    ALI_DRW {
        "event": "config:0-7",
    }
}
