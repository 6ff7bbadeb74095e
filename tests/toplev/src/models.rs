//! The models that both sides have.

/// One of toplev's files, and what the library calls the same cores.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// `FILE_ratios.py`.
    pub file: &'static str,
    /// The name of the model in `arch/x86`.
    pub model: &'static str,
    /// The kind of cores.
    pub pmu: &'static str,
}

const fn pair(file: &'static str, model: &'static str, pmu: &'static str) -> Pair {
    Pair { file, model, pmu }
}

/// All of them.
pub const PAIRS: [Pair; 29] = [
    pair("snb_client", "sandybridge", "default_core"),
    pair("jkt_server", "jaketown", "default_core"),
    pair("ivb_client", "ivybridge", "default_core"),
    pair("ivb_server", "ivytown", "default_core"),
    pair("hsw_client", "haswell", "default_core"),
    pair("hsx_server", "haswellx", "default_core"),
    pair("bdw_client", "broadwell", "default_core"),
    pair("bdx_server", "broadwellx", "default_core"),
    pair("bdx_server", "broadwellde", "default_core"),
    pair("skl_client", "skylake", "default_core"),
    pair("skx_server", "skylakex", "default_core"),
    pair("clx_server", "cascadelakex", "default_core"),
    pair("icl_client", "icelake", "default_core"),
    pair("icx_server", "icelakex", "default_core"),
    pair("spr_server", "sapphirerapids", "default_core"),
    pair("spr_server", "emeraldrapids", "default_core"),
    pair("gnr_server", "graniterapids", "default_core"),
    pair("adl_glc", "alderlake", "cpu_core"),
    pair("adl_grt", "alderlake", "cpu_atom"),
    pair("mtl_rwc", "meteorlake", "cpu_core"),
    pair("mtl_cmt", "meteorlake", "cpu_atom"),
    pair("lnl_lnc", "lunarlake", "cpu_core"),
    pair("lnl_skt", "lunarlake", "cpu_atom"),
    pair("lnl_lnc", "arrowlake", "cpu_core"),
    pair("lnl_skt", "arrowlake", "cpu_atom"),
    pair("srf", "sierraforest", "default_core"),
    pair("icl_client", "tigerlake", "default_core"),
    pair("icl_client", "rocketlake", "default_core"),
    pair("ehl", "elkhartlake", "default_core"),
];
