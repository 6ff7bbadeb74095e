//! PMUs of Arm systems outside the cores whose driver has one layout for all
//! machines.

use crate::format::Formats;
use crate::pmu;

use super::format;

/// The formats of a PMU, by its name in trees, or in sysfs if no tree names it.
pub(super) fn of_pmu(pmu: &str) -> Option<Formats<'static>> {
    of_tree(pmu).or_else(|| {
        let (_, formats) = IN_SYSFS.iter().find(|(name, _)| pmu::matches(pmu, name))?;
        Some(*formats)
    })
}

/// PMUs by patterns of their names in sysfs.
const IN_SYSFS: &[(&str, Formats<'static>)] = &[
    ("nvidia_nvlink_c2c_pmu", NVIDIA_C2C),
    ("nvidia_nvclink_pmu", NVIDIA_C2C),
    ("nvidia_nvdlink_pmu", NVIDIA_CXL),
    ("nvidia_cmem_latency_pmu", NVIDIA_CMEM_LATENCY),
    ("mac_iod*_mac*_ch*", FUJITSU_UNCORE),
    ("pci_iod*_pci*", FUJITSU_UNCORE),
    ("mrvl_pcie_rc_pmu*", MARVELL_PEM),
    ("hisi_scl*_mn*", HISI_MN),
    ("hisi_scl*_noc*", HISI_NOC),
];

fn of_tree(pmu: &str) -> Option<Formats<'static>> {
    Some(match pmu {
        "arm_cmn" => super::ARM_CMN,
        "hisi_sccl,ddrc" | "hisi_sccl,hha" | "hisi_sccl,l3c" => HISI_SCCL,
        "hisi_sicl,cpa" => HISI_CPA,
        "imx8_ddr" => IMX8_DDR,
        "imx9_ddr" => IMX9_DDR,
        "ali_drw" => ALI_DRW,
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

    /// HiSilicon's miscellaneous node, which handles DVM and barriers
    /// (`drivers/perf/hisilicon/hisi_uncore_mn_pmu.c`).
    HISI_MN {
        "event": "config:0-7",
    }

    /// HiSilicon's network on chip
    /// (`drivers/perf/hisilicon/hisi_uncore_noc_pmu.c`).
    HISI_NOC {
        "event": "config:0-7",
        "ch": "config1:0-2",
        "tt_en": "config1:3",
    }

    /// The memory and PCI controllers of Fujitsu's Monaka
    /// (`drivers/perf/fujitsu_uncore_pmu.c`).
    FUJITSU_UNCORE {
        "event": "config:0-7",
    }

    /// Marvell's PCI Express interface units (`drivers/perf/marvell_pem_pmu.c`).
    MARVELL_PEM {
        "event": "config:0-5",
    }

    /// NVIDIA T410's links to another CPU or to GPUs, for which alone there is a mask
    /// (`drivers/perf/nvidia_t410_c2c_pmu.c`).
    NVIDIA_C2C {
        "event": "config:0-3",
        "gpu_mask": "config1:0-1",
    }

    /// NVIDIA T410's links to CXL memory.
    NVIDIA_CXL {
        "event": "config:0-3",
    }

    /// The latency of NVIDIA T410's CPU memory
    /// (`drivers/perf/nvidia_t410_cmem_latency_pmu.c`).
    NVIDIA_CMEM_LATENCY {
        "event": "config:0-1",
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
