//! The event tree `arm64`: a static for each model, and the look-up of a CPU's model.

// Written by `cargo run -p pmu-events-import -- --pack` from arch/arm64.

use pmu_events_core::{Model, Tree};

/// The event tree `pmu-events-arch/arm64`: 49 models.
pub static TREE: Tree = Tree::new(include_str!("strings.txt"), include_bytes!("tables.bin"));

/// `ampere/ampereone`: 214 events, 107 metrics.
///
/// Made for the CPUs `0x00000000c00fac30`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMPERE_AMPEREONE: Model = Model::new(&TREE, 0);

/// `ampere/ampereonex`: 266 events, 115 metrics.
///
/// Made for the CPUs `0x00000000c00fac40`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMPERE_AMPEREONEX: Model = Model::new(&TREE, 1);

/// `ampere/emag`: 107 events, 40 metrics.
///
/// Made for the CPUs `0x00000000503f0002`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMPERE_EMAG: Model = Model::new(&TREE, 2);

/// `apple/m1`: 59 events, 21 metrics.
///
/// Made for the CPUs `0x0000000061ff022f`, `0x0000000061ff023f`, `0x0000000061ff024f`, `0x0000000061ff025f`, `0x0000000061ff028f`, `0x0000000061ff029f`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static APPLE_M1: Model = Model::new(&TREE, 3);

/// `apple/m2`: 58 events, 21 metrics.
///
/// Made for the CPUs `0x0000000061ff032f`, `0x0000000061ff033f`, `0x0000000061ff034f`, `0x0000000061ff035f`, `0x0000000061ff038f`, `0x0000000061ff039f`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static APPLE_M2: Model = Model::new(&TREE, 4);

/// `apple/m3`: 64 events, 21 metrics.
///
/// Made for the CPUs `0x0000000061ff042f`, `0x0000000061ff043f`, `0x0000000061ff044f`, `0x0000000061ff045f`, `0x0000000061ff048f`, `0x0000000061ff049f`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static APPLE_M3: Model = Model::new(&TREE, 5);

/// `apple/m4`: 101 events, 23 metrics.
///
/// Made for the CPUs `0x0000000061ff052f`, `0x0000000061ff053f`, `0x0000000061ff054f`, `0x0000000061ff055f`, `0x0000000061ff058f`, `0x0000000061ff059f`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static APPLE_M4: Model = Model::new(&TREE, 6);

/// `architecture`: 88 events, 33 metrics.
pub static ARCHITECTURE: Model = Model::new(&TREE, 7);

/// `arm/c1-nano`: 408 events, 164 metrics.
///
/// Made for the CPUs `0x00000000410fd8a3`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_C1_NANO: Model = Model::new(&TREE, 8);

/// `arm/c1-premium`: 368 events, 190 metrics.
///
/// Made for the CPUs `0x00000000411fd900`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_C1_PREMIUM: Model = Model::new(&TREE, 9);

/// `arm/c1-pro`: 301 events, 189 metrics.
///
/// Made for the CPUs `0x00000000411fd8b2`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_C1_PRO: Model = Model::new(&TREE, 10);

/// `arm/c1-ultra`: 368 events, 190 metrics.
///
/// Made for the CPUs `0x00000000411fd8c0`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_C1_ULTRA: Model = Model::new(&TREE, 11);

/// `arm/cmn`: 33 events, 8 metrics of system PMUs.
pub static ARM_CMN_SYS: Model = Model::new(&TREE, 12);

/// `arm/cortex-a15`: 67 events, 33 metrics.
///
/// Made for the CPUs `0x00000000414fc0f0`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A15: Model = Model::new(&TREE, 13);

/// `arm/cortex-a17`: 57 events, 33 metrics.
///
/// Made for the CPUs `0x00000000411fc0e2`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A17: Model = Model::new(&TREE, 14);

/// `arm/cortex-a34`: 33 events, 33 metrics.
///
/// Made for the CPUs `0x00000000410fd020`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A34: Model = Model::new(&TREE, 15);

/// `arm/cortex-a35`: 38 events, 33 metrics.
///
/// Made for the CPUs `0x00000000411fd040`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A35: Model = Model::new(&TREE, 16);

/// `arm/cortex-a510`: 141 events, 57 metrics.
///
/// Made for the CPUs `0x00000000411fd463`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A510: Model = Model::new(&TREE, 17);

/// `arm/cortex-a520`: 177 events, 57 metrics.
///
/// Made for the CPUs `0x00000000410fd804`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A520: Model = Model::new(&TREE, 18);

/// `arm/cortex-a53`: 30 events, 17 metrics.
///
/// Made for the CPUs `0x00000000410fd034`, `0x00000000420f1000`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A53: Model = Model::new(&TREE, 19);

/// `arm/cortex-a55`: 110 events, 54 metrics.
///
/// Made for the CPUs `0x00000000412fd050`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A55: Model = Model::new(&TREE, 20);

/// `arm/cortex-a57-a72`: 83 events, 33 metrics.
///
/// Made for the CPUs `0x00000000411fd073`, `0x00000000411fd080`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A57_A72: Model = Model::new(&TREE, 21);

/// `arm/cortex-a65-e1`: 128 events, 54 metrics.
///
/// Made for the CPUs `0x00000000410fd4a0`, `0x00000000411fd062`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A65_E1: Model = Model::new(&TREE, 22);

/// `arm/cortex-a65ae`: 128 events, 54 metrics.
///
/// Made for the CPUs `0x00000000411fd431`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A65AE: Model = Model::new(&TREE, 23);

/// `arm/cortex-a710`: 150 events, 58 metrics.
///
/// Made for the CPUs `0x00000000412fd471`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A710: Model = Model::new(&TREE, 24);

/// `arm/cortex-a715`: 145 events, 58 metrics.
///
/// Made for the CPUs `0x00000000411fd4d3`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A715: Model = Model::new(&TREE, 25);

/// `arm/cortex-a720`: 190 events, 58 metrics.
///
/// Made for the CPUs `0x00000000410fd812`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A720: Model = Model::new(&TREE, 26);

/// `arm/cortex-a73`: 79 events, 33 metrics.
///
/// Made for the CPUs `0x00000000411fd090`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A73: Model = Model::new(&TREE, 27);

/// `arm/cortex-a75`: 103 events, 54 metrics.
///
/// Made for the CPUs `0x00000000413fd0a1`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A75: Model = Model::new(&TREE, 28);

/// `arm/cortex-a76`: 106 events, 54 metrics.
///
/// Made for the CPUs `0x00000000414fd0b1`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A76: Model = Model::new(&TREE, 29);

/// `arm/cortex-a76ae`: 106 events, 54 metrics.
///
/// Made for the CPUs `0x00000000411fd0e1`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A76AE: Model = Model::new(&TREE, 30);

/// `arm/cortex-a77`: 106 events, 54 metrics.
///
/// Made for the CPUs `0x00000000411fd0d1`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A77: Model = Model::new(&TREE, 31);

/// `arm/cortex-a78`: 117 events, 58 metrics.
///
/// Made for the CPUs `0x00000000410fd4b2`, `0x00000000411fd412`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_A78: Model = Model::new(&TREE, 32);

/// `arm/cortex-r52`: 94 events, 30 metrics.
///
/// Made for the CPUs `0x00000000411fd133`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_R52: Model = Model::new(&TREE, 33);

/// `arm/cortex-r82`: 191 events, 47 metrics.
///
/// Made for the CPUs `0x00000000410fd150`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_R82: Model = Model::new(&TREE, 34);

/// `arm/cortex-x1`: 117 events, 58 metrics.
///
/// Made for the CPUs `0x00000000410fd4c0`, `0x00000000411fd442`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_X1: Model = Model::new(&TREE, 35);

/// `arm/cortex-x2`: 150 events, 58 metrics.
///
/// Made for the CPUs `0x00000000412fd481`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_X2: Model = Model::new(&TREE, 36);

/// `arm/cortex-x3`: 154 events, 58 metrics.
///
/// Made for the CPUs `0x00000000411fd4e2`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_X3: Model = Model::new(&TREE, 37);

/// `arm/cortex-x4`: 241 events, 58 metrics.
///
/// Made for the CPUs `0x00000000410fd823`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_CORTEX_X4: Model = Model::new(&TREE, 38);

/// `arm/neoverse-n1`: 109 events, 69 metrics.
///
/// Made for the CPUs `0x00000000414fd0c1`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_NEOVERSE_N1: Model = Model::new(&TREE, 39);

/// `arm/neoverse-n2-v2`: 154 events, 90 metrics.
///
/// Made for the CPUs `0x00000000410fd493`, `0x00000000410fd4f2`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_NEOVERSE_N2_V2: Model = Model::new(&TREE, 40);

/// `arm/neoverse-n3`: 199 events, 111 metrics.
///
/// Made for the CPUs `0x00000000410fd8e1`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_NEOVERSE_N3: Model = Model::new(&TREE, 41);

/// `arm/neoverse-v1`: 131 events, 79 metrics.
///
/// Made for the CPUs `0x00000000411fd402`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_NEOVERSE_V1: Model = Model::new(&TREE, 42);

/// `arm/neoverse-v3`: 238 events, 110 metrics.
///
/// Made for the CPUs `0x00000000410fd832`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_NEOVERSE_V3: Model = Model::new(&TREE, 43);

/// `arm/rainier`: 156 events, 54 metrics.
///
/// Made for the CPUs `0x000000003f0f4120`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARM_RAINIER: Model = Model::new(&TREE, 44);

/// `cavium/thunderx2`: 37 events, 21 metrics.
///
/// Made for the CPUs `0x00000000420f5162`, `0x00000000431f0af2`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CAVIUM_THUNDERX2: Model = Model::new(&TREE, 45);

/// `freescale/imx8mm`: 5 events, 2 metrics of system PMUs.
pub static FREESCALE_IMX8MM_SYS: Model = Model::new(&TREE, 46);

/// `freescale/imx8mn`: 5 events, 2 metrics of system PMUs.
pub static FREESCALE_IMX8MN_SYS: Model = Model::new(&TREE, 47);

/// `freescale/imx8mp`: 5 events, 58 metrics of system PMUs.
pub static FREESCALE_IMX8MP_SYS: Model = Model::new(&TREE, 48);

/// `freescale/imx8mq`: 5 events, 2 metrics of system PMUs.
pub static FREESCALE_IMX8MQ_SYS: Model = Model::new(&TREE, 49);

/// `freescale/imx91`: 1 events, 3 metrics of system PMUs.
pub static FREESCALE_IMX91_SYS: Model = Model::new(&TREE, 50);

/// `freescale/imx93`: 1 events, 3 metrics of system PMUs.
pub static FREESCALE_IMX93_SYS: Model = Model::new(&TREE, 51);

/// `freescale/imx94`: 1 events, 56 metrics of system PMUs.
pub static FREESCALE_IMX94_SYS: Model = Model::new(&TREE, 52);

/// `freescale/imx95`: 1 events, 110 metrics of system PMUs.
pub static FREESCALE_IMX95_SYS: Model = Model::new(&TREE, 53);

/// `fujitsu/a64fx`: 183 events, 43 metrics.
///
/// Made for the CPUs `0x00000000461f0010`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static FUJITSU_A64FX: Model = Model::new(&TREE, 54);

/// `fujitsu/monaka`: 498 events, 55 metrics.
///
/// Made for the CPUs `0x00000000460f0030`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static FUJITSU_MONAKA: Model = Model::new(&TREE, 55);

/// `hisilicon/hip08`: 76 events, 64 metrics.
///
/// Made for the CPUs `0x00000000481fd010`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static HISILICON_HIP08: Model = Model::new(&TREE, 56);

/// `hisilicon/hip09`: 9 events, 2 metrics of system PMUs.
pub static HISILICON_HIP09_SYS: Model = Model::new(&TREE, 57);

/// `nvidia/t410`: 464 events, 145 metrics.
///
/// Made for the CPUs `0x000000004e0f0100`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static NVIDIA_T410: Model = Model::new(&TREE, 58);

/// `thead/yitian710`: 53 events, 4 metrics of system PMUs.
pub static THEAD_YITIAN710_SYS: Model = Model::new(&TREE, 59);

/// The model of a CPU, by its CPUID in perf's form: the first row of the map file that matches. If the row is open-ended, the CPU may be later than the table: `Model::note` says so. A CPU that no row matches has the events that its architecture names, if the tree has them.
pub const fn model(cpuid: &str) -> Option<Model> {
    TREE.model(cpuid)
}
