//! Events that the kernel's drivers describe in sysfs: facts of Linux 6.12 and 7.3. Not
//! listed are events named by a machine's firmware (`hv_24x7`, `hv_gpci`,
//! `nest_*_imc`), events of s390's processor activity (`pai_crypto`), those of
//! `arm_cmn`, which are in the crate `pmu-events-cmn`, and those of POWER7, for which
//! no tree exists.

/// A driver for one kind of PMU.
pub(super) struct Driver {
    /// The driver's architecture; empty for any.
    pub(super) arch: &'static str,
    /// The names of the driver's PMUs, as globs; empty if other drivers have
    /// PMUs of the same names.
    pub(super) pmus: &'static [&'static str],
    /// The driver's events, separated by spaces.
    events: &'static str,
}

impl Driver {
    pub(super) fn events(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.events.split_ascii_whitespace()
    }
}

pub(super) const DRIVERS: &[Driver] = &[
    // `drivers/perf/arm_pmuv3.c`
    Driver {
        arch: "arm64",
        pmus: &["armv8_*", "armv9_*"],
        events: "\
            l1i_cache_refill l1i_tlb_refill l1d_cache_refill l1d_cache l1d_tlb_refill ld_retired \
            st_retired inst_retired exc_taken exc_return cid_write_retired pc_write_retired \
            br_immed_retired br_return_retired unaligned_ldst_retired br_mis_pred cpu_cycles \
            br_pred mem_access l1i_cache l1d_cache_wb l2d_cache l2d_cache_refill l2d_cache_wb \
            bus_access memory_error inst_spec ttbr_write_retired bus_cycles l1d_cache_allocate \
            l2d_cache_allocate br_retired br_mis_pred_retired stall_frontend stall_backend \
            l1d_tlb l1i_tlb l2i_cache l2i_cache_refill l3d_cache_allocate l3d_cache_refill \
            l3d_cache l3d_cache_wb l2d_tlb_refill l2i_tlb_refill l2d_tlb l2i_tlb remote_access \
            ll_cache ll_cache_miss dtlb_walk itlb_walk ll_cache_rd ll_cache_miss_rd \
            remote_access_rd l1d_cache_lmiss_rd op_retired op_spec stall stall_slot_backend \
            stall_slot_frontend stall_slot sample_pop sample_feed sample_filtrate \
            sample_collision cnt_cycles stall_backend_mem l1i_cache_lmiss l2d_cache_lmiss_rd \
            l2i_cache_lmiss l3d_cache_lmiss_rd trb_wrap trb_trig trcextout0 trcextout1 \
            trcextout2 trcextout3 cti_trigout4 cti_trigout5 cti_trigout6 cti_trigout7 \
            ldst_align_lat ld_align_lat st_align_lat mem_access_checked mem_access_checked_rd \
            mem_access_checked_wr",
    },
    // `drivers/perf/apple_m1_cpu_pmu.c`
    Driver { arch: "arm64", pmus: &["apple_*"], events: "cycles instructions" },
    // `drivers/perf/arm_v7_pmu.c`
    Driver {
        arch: "arm",
        pmus: &["armv7_*"],
        events: "\
            sw_incr l1i_cache_refill l1i_tlb_refill l1d_cache_refill l1d_cache l1d_tlb_refill \
            ld_retired st_retired inst_retired exc_taken exc_return cid_write_retired \
            pc_write_retired br_immed_retired br_return_retired unaligned_ldst_retired \
            br_mis_pred cpu_cycles br_pred mem_access l1i_cache l1d_cache_wb l2d_cache \
            l2d_cache_refill l2d_cache_wb bus_access memory_error inst_spec ttbr_write_retired \
            bus_cycles",
    },
    // `drivers/perf/arm_dsu_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["arm_dsu"],
        events: "\
            cycles bus_access memory_error bus_cycles l3d_cache_allocate l3d_cache_refill \
            l3d_cache l3d_cache_wb",
    },
    // `drivers/perf/arm_smmuv3_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["smmuv3_pmcg"],
        events: "\
            cycles transaction tlb_miss config_cache_miss trans_table_walk_access \
            config_struct_access pcie_ats_trans_rq pcie_ats_trans_passed",
    },
    // `drivers/perf/arm_dmc620_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["arm_dmc620", "arm_dmc620_clk"],
        events: "\
            clkdiv2_cycle_count clkdiv2_allocate clkdiv2_queue_depth clkdiv2_waiting_for_wr_data \
            clkdiv2_read_backlog clkdiv2_waiting_for_mi clkdiv2_hazard_resolution \
            clkdiv2_enqueue clkdiv2_arbitrate clkdiv2_lrank_turnaround_activate \
            clkdiv2_prank_turnaround_activate clkdiv2_read_depth clkdiv2_write_depth \
            clkdiv2_highigh_qos_depth clkdiv2_high_qos_depth clkdiv2_medium_qos_depth \
            clkdiv2_low_qos_depth clkdiv2_activate clkdiv2_rdwr clkdiv2_refresh \
            clkdiv2_training_request clkdiv2_t_mac_tracker clkdiv2_bk_fsm_tracker \
            clkdiv2_bk_open_tracker clkdiv2_ranks_in_pwr_down clkdiv2_ranks_in_sref \
            clk_cycle_count clk_request clk_upload_stall",
    },
    // `drivers/perf/arm-cci.c`
    Driver {
        arch: "arm64",
        pmus: &["cci_400*", "cci_500*", "cci_550*"],
        events: "\
            si_rrq_hs_any si_rrq_hs_device si_rrq_hs_normal_or_nonshareable \
            si_rrq_hs_inner_or_outershareable si_rrq_hs_cache_maintenance si_rrq_hs_mem_barrier \
            si_rrq_hs_sync_barrier si_rrq_hs_dvm_msg si_rrq_hs_dvm_msg_sync si_rrq_stall_tt_full \
            si_r_data_last_hs_snoop si_r_data_stall_rvalids_h_rready_l si_wrq_hs_any \
            si_wrq_hs_device si_wrq_hs_normal_or_nonshareable \
            si_wrq_hs_inner_or_outershare_wback_wclean si_wrq_hs_write_unique \
            si_wrq_hs_write_line_unique si_wrq_hs_evict si_wrq_stall_tt_full \
            mi_retry_speculative_fetch mi_rrq_stall_addr_hazard mi_rrq_stall_id_hazard \
            mi_rrq_stall_tt_full mi_rrq_stall_barrier_hazard mi_wrq_stall_barrier_hazard \
            mi_wrq_stall_tt_full si_rrq_stall_slave_id_hazard mi_stall_cycle_addr_hazard \
            mi_rrq_stall_master_id_hazard mi_rrq_stall_hi_prio_rtq_full mi_wrq_stall_wtq_full \
            mi_rrq_stall_low_prio_rtq_full mi_rrq_stall_mid_prio_rtq_full mi_rrq_stall_qvn_vn0 \
            mi_rrq_stall_qvn_vn1 mi_rrq_stall_qvn_vn2 mi_rrq_stall_qvn_vn3 mi_wrq_stall_qvn_vn0 \
            mi_wrq_stall_qvn_vn1 mi_wrq_stall_qvn_vn2 mi_wrq_stall_qvn_vn3 \
            mi_wrq_unique_or_line_unique_addr_hazard si_rrq_hs_arvalid si_rrq_dev \
            si_rrq_hs_nonshareable si_rrq_hs_shareable_non_alloc si_rrq_hs_shareable_alloc \
            si_rrq_hs_invalidate si_rrq_hs_cache_maint si_rrq_hs_rval si_rrq_hs_rlast_snoop \
            si_wrq_hs_awalid si_wrq_dev si_wrq_non_shareable si_wrq_share_wb si_wrq_share_wlu \
            si_wrq_share_wunique si_wrq_evict si_wrq_wrevict si_w_data_beat si_srq_acvalid \
            si_srq_read si_srq_clean si_srq_data_transfer_low si_rrq_stall_arvalid \
            si_r_data_stall si_wrq_stall si_w_data_stall si_w_resp_stall si_srq_stall \
            si_s_data_stall si_rq_stall_ot_limit si_r_stall_arbit mi_r_data_beat_any \
            mi_w_data_beat_any mi_rrq_stall mi_r_data_stall mi_wrq_stall mi_w_data_stall \
            mi_w_resp_stall cycles cci_snoop_access_filter_bank_0_1 \
            cci_snoop_access_filter_bank_2_3 cci_snoop_access_filter_bank_4_5 \
            cci_snoop_access_filter_bank_6_7 cci_snoop_access_miss_filter_bank_0_1 \
            cci_snoop_access_miss_filter_bank_2_3 cci_snoop_access_miss_filter_bank_4_5 \
            cci_snoop_access_miss_filter_bank_6_7 cci_snoop_back_invalidation \
            cci_snoop_stall_alloc_busy cci_snoop_stall_tt_full cci_wrq cci_snoop_cd_hs \
            cci_rq_stall_addr_hazard cci_snoop_rq_stall_tt_full cci_snoop_rq_tzmp1_prot",
    },
    // `drivers/perf/arm_cspmu/arm_cspmu.c`, `drivers/perf/arm_cspmu/ampere_cspmu.c`
    Driver {
        arch: "arm64",
        pmus: &["arm_cspmu", "ampere_mcu_pmu"],
        events: "\
            cycles cycle_count act_sent pre_sent rd_sent rda_sent wr_sent wra_sent pd_entry_vld \
            sref_entry_vld prea_sent pre_sb_sent ref_sent rfm_sent ref_sb_sent rfm_sb_sent \
            rd_rda_sent wr_wra_sent raw_hazard war_hazard waw_hazard rar_hazard \
            raw_war_waw_hazard hprd_lprd_wr_req_vld lprd_req_vld hprd_req_vld hprd_lprd_req_vld \
            prefetch_tgt wr_req_vld partial_wr_req_vld rd_retry wr_retry retry_gnt rank_change \
            dir_change rank_dir_change rank_active rank_idle rank_pd rank_sref \
            queue_fill_gt_thresh queue_rds_gt_thresh queue_wrs_gt_thresh phy_updt_complt tz_fail \
            dram_errc dram_errd read_data_return chi_wr_data_delta zq_start zq_latch \
            wr_fifo_full info_fifo_full cmd_fifo_full dfi_nop dfi_cmd rd_run_len wr_run_len",
    },
    // `drivers/perf/nvidia_t410_c2c_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["nvidia_nvlink_c2c_pmu", "nvidia_nvclink_pmu", "nvidia_nvdlink_pmu"],
        events: "\
            cycles in_rd_cum_outs in_rd_req in_wr_cum_outs in_wr_req out_rd_cum_outs out_rd_req \
            out_wr_cum_outs out_wr_req",
    },
    // `drivers/perf/nvidia_t410_cmem_latency_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["nvidia_cmem_latency_pmu"],
        events: "cycles rd_req rd_cum_outs",
    },
    // `drivers/perf/arm_cspmu/nvidia_cspmu.c`
    Driver {
        arch: "arm64",
        pmus: &["nvidia_*"],
        events: "\
            bus_cycles scf_cache_allocate scf_cache_refill scf_cache scf_cache_wb gmem_rd_data \
            gmem_rd_access gmem_rd_outstanding gmem_dl_rsp gmem_dl_access gmem_dl_outstanding \
            gmem_wb_data gmem_wb_access gmem_wb_outstanding gmem_ev_rsp gmem_ev_access \
            gmem_ev_outstanding gmem_wr_data gmem_wr_outstanding gmem_wr_access \
            gmem_wr_total_bytes remote_socket_wr_total_bytes remote_socket_rd_data \
            remote_socket_rd_outstanding remote_socket_rd_access cmem_rd_data cmem_rd_access \
            cmem_rd_outstanding cmem_dl_rsp cmem_dl_access cmem_dl_outstanding cmem_wb_data \
            cmem_wb_access cmem_wb_outstanding cmem_ev_rsp cmem_ev_access cmem_ev_outstanding \
            cmem_wr_data cmem_wr_outstanding ocu_prb_access ocu_prb_data ocu_prb_outstanding \
            cmem_wr_access cmem_wr_total_bytes cycles rd_bytes_loc rd_bytes_rem wr_bytes_loc \
            wr_bytes_rem total_bytes_loc total_bytes_rem rd_req_loc rd_req_rem wr_req_loc \
            wr_req_rem total_req_loc total_req_rem rd_cum_outs_loc rd_cum_outs_rem \
            socket_0_rd_data socket_1_rd_data socket_2_rd_data socket_3_rd_data socket_0_dl_rsp \
            socket_1_dl_rsp socket_2_dl_rsp socket_3_dl_rsp socket_0_wb_data socket_1_wb_data \
            socket_2_wb_data socket_3_wb_data socket_0_ev_rsp socket_1_ev_rsp socket_2_ev_rsp \
            socket_3_ev_rsp socket_0_prb_data socket_1_prb_data socket_2_prb_data \
            socket_3_prb_data socket_0_rd_outstanding socket_1_rd_outstanding \
            socket_2_rd_outstanding socket_3_rd_outstanding socket_0_dl_outstanding \
            socket_1_dl_outstanding socket_2_dl_outstanding socket_3_dl_outstanding \
            socket_0_wb_outstanding socket_1_wb_outstanding socket_2_wb_outstanding \
            socket_3_wb_outstanding socket_0_wr_outstanding socket_1_wr_outstanding \
            socket_2_wr_outstanding socket_3_wr_outstanding socket_0_ev_outstanding \
            socket_1_ev_outstanding socket_2_ev_outstanding socket_3_ev_outstanding \
            socket_0_prb_outstanding socket_1_prb_outstanding socket_2_prb_outstanding \
            socket_3_prb_outstanding socket_0_rd_access socket_1_rd_access socket_2_rd_access \
            socket_3_rd_access socket_0_dl_access socket_1_dl_access socket_2_dl_access \
            socket_3_dl_access socket_0_wb_access socket_1_wb_access socket_2_wb_access \
            socket_3_wb_access socket_0_wr_access socket_1_wr_access socket_2_wr_access \
            socket_3_wr_access socket_0_ev_access socket_1_ev_access socket_2_ev_access \
            socket_3_ev_access socket_0_prb_access socket_1_prb_access socket_2_prb_access \
            socket_3_prb_access ocu_0_gmem_rd_data ocu_1_gmem_rd_data ocu_2_gmem_rd_data \
            ocu_3_gmem_rd_data ocu_0_gmem_rd_access ocu_1_gmem_rd_access ocu_2_gmem_rd_access \
            ocu_3_gmem_rd_access ocu_0_gmem_wb_access ocu_1_gmem_wb_access ocu_2_gmem_wb_access \
            ocu_3_gmem_wb_access ocu_0_gmem_rd_outstanding ocu_1_gmem_rd_outstanding \
            ocu_2_gmem_rd_outstanding ocu_3_gmem_rd_outstanding ocu_0_gmem_wr_outstanding \
            ocu_1_gmem_wr_outstanding ocu_2_gmem_wr_outstanding ocu_3_gmem_wr_outstanding \
            ocu_0_rem_rd_data ocu_1_rem_rd_data ocu_2_rem_rd_data ocu_3_rem_rd_data \
            ocu_0_rem_rd_access ocu_1_rem_rd_access ocu_2_rem_rd_access ocu_3_rem_rd_access \
            ocu_0_rem_wb_access ocu_1_rem_wb_access ocu_2_rem_wb_access ocu_3_rem_wb_access \
            ocu_0_rem_rd_outstanding ocu_1_rem_rd_outstanding ocu_2_rem_rd_outstanding \
            ocu_3_rem_rd_outstanding ocu_0_rem_wr_outstanding ocu_1_rem_wr_outstanding \
            ocu_2_rem_wr_outstanding ocu_3_rem_wr_outstanding socket_0_wr_data socket_1_wr_data \
            socket_2_wr_data socket_3_wr_data ocu_0_gmem_wr_data ocu_1_gmem_wr_data \
            ocu_2_gmem_wr_data ocu_3_gmem_wr_data ocu_0_gmem_wb_data ocu_1_gmem_wb_data \
            ocu_2_gmem_wb_data ocu_3_gmem_wb_data ocu_0_gmem_wr_access ocu_1_gmem_wr_access \
            ocu_2_gmem_wr_access ocu_3_gmem_wr_access ocu_0_gmem_wb_outstanding \
            ocu_1_gmem_wb_outstanding ocu_2_gmem_wb_outstanding ocu_3_gmem_wb_outstanding \
            ocu_0_rem_wr_data ocu_1_rem_wr_data ocu_2_rem_wr_data ocu_3_rem_wr_data \
            ocu_0_rem_wb_data ocu_1_rem_wb_data ocu_2_rem_wb_data ocu_3_rem_wb_data \
            ocu_0_rem_wr_access ocu_1_rem_wr_access ocu_2_rem_wr_access ocu_3_rem_wr_access \
            ocu_0_rem_wb_outstanding ocu_1_rem_wb_outstanding ocu_2_rem_wb_outstanding \
            ocu_3_rem_wb_outstanding ocu_0_cmem_rd_data ocu_1_cmem_rd_data ocu_2_cmem_rd_data \
            ocu_3_cmem_rd_data ocu_0_cmem_rd_access ocu_1_cmem_rd_access ocu_2_cmem_rd_access \
            ocu_3_cmem_rd_access ocu_0_cmem_wb_access ocu_1_cmem_wb_access ocu_2_cmem_wb_access \
            ocu_3_cmem_wb_access ocu_0_cmem_rd_outstanding ocu_1_cmem_rd_outstanding \
            ocu_2_cmem_rd_outstanding ocu_3_cmem_rd_outstanding ocu_0_cmem_wr_outstanding \
            ocu_1_cmem_wr_outstanding ocu_2_cmem_wr_outstanding ocu_3_cmem_wr_outstanding \
            ocu_0_cmem_wr_access ocu_1_cmem_wr_access ocu_2_cmem_wr_access ocu_3_cmem_wr_access \
            ocu_0_cmem_wb_data ocu_1_cmem_wb_data ocu_2_cmem_wb_data ocu_3_cmem_wb_data \
            ocu_0_cmem_wr_data ocu_1_cmem_wr_data ocu_2_cmem_wr_data ocu_3_cmem_wr_data \
            ocu_0_cmem_wb_outstanding ocu_1_cmem_wb_outstanding ocu_2_cmem_wb_outstanding \
            ocu_3_cmem_wb_outstanding slc_allocate slc_wb slc_refill_rd slc_refill_wr slc_hit_rd \
            slc_access_dataless slc_access_atomic slc_access_rd slc_access_wr slc_bytes_rd \
            slc_bytes_wr mem_access_rd mem_access_wr mem_bytes_rd mem_bytes_wr local_snoop \
            ext_snp_access ext_snp_evict rd_bytes wr_bytes rd_req wr_req rd_cum_outs",
    },
    // `drivers/perf/alibaba_uncore_drw_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["ali_drw"],
        events: "\
            hif_rd_or_wr hif_wr hif_rd hif_rmw hif_hi_pri_rd dfi_wr_data_cycles \
            dfi_rd_data_cycles hpr_xact_when_critical lpr_xact_when_critical \
            wr_xact_when_critical op_is_activate op_is_rd_or_wr op_is_rd_activate op_is_rd \
            op_is_wr op_is_mwr op_is_precharge precharge_for_rdwr precharge_for_other \
            rdwr_transitions write_combine war_hazard raw_hazard waw_hazard \
            op_is_enter_selfref_rk0 op_is_enter_selfref_rk1 op_is_enter_selfref_rk2 \
            op_is_enter_selfref_rk3 op_is_enter_powerdown_rk0 op_is_enter_powerdown_rk1 \
            op_is_enter_powerdown_rk2 op_is_enter_powerdown_rk3 selfref_mode_rk0 \
            selfref_mode_rk1 selfref_mode_rk2 selfref_mode_rk3 op_is_refresh op_is_crit_ref \
            op_is_load_mode op_is_zqcl visible_window_limit_reached_rd \
            visible_window_limit_reached_wr op_is_dqsosc_mpc op_is_dqsosc_mrr op_is_tcr_mrr \
            op_is_zqstart op_is_zqlatch chi_txreq chi_txdat chi_rxdat chi_rxrsp tsz_vio cycle",
    },
    // `drivers/perf/amlogic/meson_ddr_pmu_core.c`
    Driver {
        arch: "arm64",
        pmus: &["meson_ddr_bw"],
        events: "\
            total_rw_bytes chan_1_rw_bytes chan_2_rw_bytes chan_3_rw_bytes chan_4_rw_bytes \
            chan_5_rw_bytes chan_6_rw_bytes chan_7_rw_bytes chan_8_rw_bytes",
    },
    // `drivers/perf/fsl_imx8_ddr_perf.c`
    Driver {
        arch: "arm64",
        pmus: &["imx8_ddr"],
        events: "\
            cycles selfresh read-accesses write-accesses read-queue-depth write-queue-depth \
            lp-read-credit-cnt hp-read-credit-cnt write-credit-cnt read-command write-command \
            read-modify-write-command hp-read hp-req-nocredit hp-xact-credit lp-req-nocredit \
            lp-xact-credit wr-xact-credit read-cycles write-cycles read-write-transition \
            precharge activate load-mode perf-mwr read read-activate refresh write raw-hazard \
            axid-read axid-write",
    },
    // `drivers/perf/fsl_imx9_ddr_perf.c`
    Driver {
        arch: "arm64",
        pmus: &["imx9_ddr"],
        events: "\
            cycles ddrc_ddrc1_rmw_for_ecc eddrtq_pmon_rreorder eddrtq_pmon_wreorder ddrc_pm_0 \
            ddrc_pm_1 ddrc_pm_2 ddrc_pm_3 ddrc_pm_4 ddrc_pm_5 ddrc_pm_6 ddrc_pm_7 ddrc_pm_8 \
            ddrc_pm_9 ddrc_pm_10 ddrc_pm_11 ddrc_pm_12 ddrc_pm_13 ddrc_pm_15 ddrc_pm_29 \
            ddrc_ld_riq_0 ddrc_ld_riq_1 ddrc_ld_riq_2 ddrc_ld_riq_3 ddrc_ld_riq_4 ddrc_ld_riq_5 \
            ddrc_ld_riq_6 ddrc_ld_riq_7 ddrc_ld_wiq_0 ddrc_ld_wiq_1 ddrc_ld_wiq_2 ddrc_ld_wiq_3 \
            ddrc_ld_wiq_4 ddrc_ld_wiq_5 ddrc_ld_wiq_6 ddrc_ld_wiq_7 eddrtq_pmon_empty \
            eddrtq_pm_rd_trans_filt eddrtq_pm_wr_beat_filt ddrc_qx_row_collision_0 \
            ddrc_qx_row_collision_1 ddrc_qx_row_collision_2 ddrc_qx_row_collision_3 \
            ddrc_qx_row_collision_4 ddrc_qx_row_collision_5 ddrc_qx_row_collision_6 \
            ddrc_qx_row_collision_7 eddrtq_pmon_full eddrtq_pm_wr_trans_filt \
            eddrtq_pm_rd_beat_filt2 ddrc_qx_row_open_0 ddrc_qx_row_open_1 ddrc_qx_row_open_2 \
            ddrc_qx_row_open_3 ddrc_qx_row_open_4 ddrc_qx_row_open_5 ddrc_qx_row_open_6 \
            ddrc_qx_row_open_7 eddrtq_pmon_ld_rdq2_rmw eddrtq_pm_rd_beat_filt \
            eddrtq_pm_rd_beat_filt1 ddrc_qx_valid_start_0 ddrc_qx_valid_start_1 \
            ddrc_qx_valid_start_2 ddrc_qx_valid_start_3 ddrc_qx_valid_start_4 \
            ddrc_qx_valid_start_5 ddrc_qx_valid_start_6 ddrc_qx_valid_start_7 \
            eddrtq_pmon_ld_rdq1 eddrtq_pm_rd_beat_filt0 ddrc_qx_valid_end_0 eddrtq_pmon_ld_rdq2 \
            eddrtq_pmon_1_2_full eddrtq_pmon_ld_wrq0 eddrtq_pmon_bias_switched \
            eddrtq_pmon_1_4_full eddrtq_pmon_ld_wrq1 eddrtq_pmon_3_4_full eddrtq_pmon_misc_mrk \
            eddrtq_pmon_ld_rdq0",
    },
    // `drivers/perf/fujitsu_uncore_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["mac_iod*_mac*_ch*"],
        events: "\
            cycles read-count read-count-request read-count-return read-count-request-pftgt \
            read-count-request-normal read-count-return-pftgt-hit read-count-return-pftgt-miss \
            read-wait write-count write-count-write write-count-pwrite memory-read-count \
            memory-write-count memory-pwrite-count ea-mac ea-memory ea-memory-mac-write ea-ha",
    },
    Driver {
        arch: "arm64",
        pmus: &["pci_iod*_pci*"],
        events: "\
            pci-port0-cycles pci-port0-read-count pci-port0-read-count-bus pci-port0-write-count \
            pci-port0-write-count-bus pci-port1-cycles pci-port1-read-count \
            pci-port1-read-count-bus pci-port1-write-count pci-port1-write-count-bus ea-pci",
    },
    // `drivers/perf/hisilicon/hisi_pcie_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_pcie*"],
        events: "\
            rx_mwr_latency rx_mwr_cnt rx_mrd_latency rx_mrd_cnt tx_mrd_latency tx_mrd_cnt \
            rx_mwr_flux rx_mwr_time rx_mrd_flux rx_mrd_time rx_cpl_flux rx_cpl_time tx_mwr_flux \
            tx_mwr_time tx_mrd_flux tx_mrd_time tx_cpl_flux tx_cpl_time",
    },
    // `drivers/perf/hisilicon/hisi_uncore_cpa_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_sicl*cpa*"],
        events: "cpa_cycles cpa_p1_wr_dat cpa_p1_rd_dat cpa_p0_wr_dat cpa_p0_rd_dat",
    },
    // `drivers/perf/hisilicon/hisi_uncore_ddrc_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_sccl*ddrc*"],
        events: "\
            flux_wr flux_rd flux_wcmd flux_rcmd pre_cmd act_cmd rnk_chg rw_chg cycles",
    },
    // `drivers/perf/hisilicon/hisi_uncore_hha_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_sccl*hha*"],
        events: "\
            rx_ops_num rx_outer rx_sccl rx_ccix rx_wbi rx_wbip rx_wtistash rd_ddr_64b wr_ddr_64b \
            rd_ddr_128b wr_ddr_128b spill_num spill_success bi_num mediated_num tx_snp_num \
            tx_snp_outer tx_snp_ccix rx_snprspdata rx_snprsp_outer sdir-lookup edir-lookup \
            sdir-hit edir-hit sdir-home-migrate edir-home-migrate hha_retry cycles",
    },
    // `drivers/perf/hisilicon/hisi_uncore_l3c_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_sccl*l3c*"],
        events: "\
            rd_cpipe wr_cpipe rd_hit_cpipe wr_hit_cpipe victim_num rd_spipe wr_spipe \
            rd_hit_spipe wr_hit_spipe back_invalid retry_cpu retry_ring prefetch_drop l3c_hit \
            cycles l3c_ref dat_access io_rd_spipe io_rd_hit_spipe io_wr_spipe io_wr_hit_spipe \
            l3c2ring",
    },
    // `drivers/perf/hisilicon/hisi_uncore_mn_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_scl*_mn*"],
        events: "\
            req_eobarrier_num req_ecbarrier_num req_dvmop_num req_dvmsync_num req_retry_num \
            req_writenosnp_num req_readnosnp_num snp_dvm_num snp_dvmsync_num l3t_req_dvm_num \
            l3t_req_dvmsync_num mn_req_dvm_num mn_req_dvmsync_num pa_req_dvm_num \
            pa_req_dvmsync_num snp_dvm_latency snp_dvmsync_latency l3t_req_dvm_latency \
            l3t_req_dvmsync_latency mn_req_dvm_latency mn_req_dvmsync_latency pa_req_dvm_latency \
            pa_req_dvmsync_latency",
    },
    // `drivers/perf/hisilicon/hisi_uncore_noc_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_scl*_noc*"],
        events: "\
            cycles ingress_flow_sum egress_flow_sum ingress_buf_full egress_buf_full \
            cw_ingress_fail cc_ingress_fail cw_egress_fail cc_egress_fail cw_main_flow_sum \
            cc_main_flow_sum",
    },
    // `drivers/perf/hisilicon/hisi_uncore_pa_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_sicl*pa*"],
        events: "rx_req tx_req cycle tx_dat tx_snp rx_dat rx_snp rx_flit tx_flit",
    },
    // `drivers/perf/hisilicon/hisi_uncore_sllc_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_sccl*sllc*"],
        events: "rx_req rx_data tx_req tx_data cycles",
    },
    // `drivers/perf/hisilicon/hisi_uncore_uc_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hisi_sccl*uc*"],
        events: "\
            sq_time pq_time hbm_time iq_comp_time_cring iq_comp_time_uring cpu_rd cpu_rd64 \
            cpu_rs64 cpu_mru cycles spipe_hit hpipe_hit cring_rxdat_cnt cring_txdat_cnt \
            uring_rxdat_cnt uring_txdat_cnt",
    },
    // `drivers/perf/hisilicon/hns3_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["hns3_pmu_sicl"],
        events: "\
            bw_ssu_egu_byte_num bw_ssu_egu_time bw_ssu_rpu_byte_num bw_ssu_rpu_time \
            bw_ssu_roce_byte_num bw_ssu_roce_time bw_roce_ssu_byte_num bw_roce_ssu_time \
            bw_tpu_ssu_byte_num bw_tpu_ssu_time bw_rpu_rcbrx_byte_num bw_rpu_rcbrx_time \
            bw_rcbtx_txsch_byte_num bw_rcbtx_txsch_time bw_wr_fbd_byte_num bw_wr_fbd_time \
            bw_wr_ebd_byte_num bw_wr_ebd_time bw_rd_fbd_byte_num bw_rd_fbd_time \
            bw_rd_ebd_byte_num bw_rd_ebd_time bw_rd_pay_m0_byte_num bw_rd_pay_m0_time \
            bw_rd_pay_m1_byte_num bw_rd_pay_m1_time bw_wr_pay_m0_byte_num bw_wr_pay_m0_time \
            bw_wr_pay_m1_byte_num bw_wr_pay_m1_time pps_igu_ssu_packet_num pps_igu_ssu_time \
            pps_ssu_egu_packet_num pps_ssu_egu_time pps_ssu_rpu_packet_num pps_ssu_rpu_time \
            pps_ssu_roce_packet_num pps_ssu_roce_time pps_roce_ssu_packet_num pps_roce_ssu_time \
            pps_tpu_ssu_packet_num pps_tpu_ssu_time pps_rpu_rcbrx_packet_num pps_rpu_rcbrx_time \
            pps_rcbtx_tpu_packet_num pps_rcbtx_tpu_time pps_rcbtx_txsch_packet_num \
            pps_rcbtx_txsch_time pps_wr_fbd_packet_num pps_wr_fbd_time pps_wr_ebd_packet_num \
            pps_wr_ebd_time pps_rd_fbd_packet_num pps_rd_fbd_time pps_rd_ebd_packet_num \
            pps_rd_ebd_time pps_rd_pay_m0_packet_num pps_rd_pay_m0_time pps_rd_pay_m1_packet_num \
            pps_rd_pay_m1_time pps_wr_pay_m0_packet_num pps_wr_pay_m0_time \
            pps_wr_pay_m1_packet_num pps_wr_pay_m1_time pps_intr_nicroh_tx_pre_packet_num \
            pps_intr_nicroh_tx_pre_time pps_intr_nicroh_rx_pre_packet_num \
            pps_intr_nicroh_rx_pre_time dly_tx_push_to_mac_time dly_tx_push_to_mac_packet_num \
            dly_tx_normal_to_mac_time dly_tx_normal_to_mac_packet_num dly_ssu_tx_th_nic_time \
            dly_ssu_tx_th_nic_packet_num dly_ssu_tx_th_roce_time dly_ssu_tx_th_roce_packet_num \
            dly_ssu_rx_th_nic_time dly_ssu_rx_th_nic_packet_num dly_ssu_rx_th_roce_time \
            dly_ssu_rx_th_roce_packet_num dly_rpu_time dly_rpu_packet_num dly_tpu_time \
            dly_tpu_packet_num dly_rpe_time dly_rpe_packet_num dly_tpe_normal_time \
            dly_tpe_normal_packet_num dly_tpe_push_time dly_tpe_push_packet_num dly_wr_fbd_time \
            dly_wr_fbd_packet_num dly_wr_ebd_time dly_wr_ebd_packet_num dly_rd_fbd_time \
            dly_rd_fbd_packet_num dly_rd_ebd_time dly_rd_ebd_packet_num dly_rd_pay_m0_time \
            dly_rd_pay_m0_packet_num dly_rd_pay_m1_time dly_rd_pay_m1_packet_num \
            dly_wr_pay_m0_time dly_wr_pay_m0_packet_num dly_wr_pay_m1_time \
            dly_wr_pay_m1_packet_num dly_msix_write_time dly_msix_write_packet_num \
            pps_intr_msix_nic_intr_num pps_intr_msix_nic_time",
    },
    // `drivers/perf/marvell_cn10k_ddr_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["mrvl_ddr_pmu"],
        events: "\
            ddr_hif_rd_or_wr_access ddr_hif_wr_access ddr_hif_rd_access ddr_hif_rmw_access \
            ddr_hif_pri_rdaccess ddr_rd_bypass_access ddr_act_bypass_access \
            ddr_dif_wr_data_access ddr_dif_rd_data_access ddr_hpri_sched_rd_crit_access \
            ddr_lpri_sched_rd_crit_access ddr_wr_trxn_crit_access ddr_cam_active_access \
            ddr_cam_rd_or_wr_access ddr_cam_rd_active_access ddr_cam_read ddr_cam_write \
            ddr_cam_mwr ddr_precharge ddr_precharge_for_rdwr ddr_precharge_for_other \
            ddr_rdwr_transitions ddr_write_combine ddr_war_hazard ddr_raw_hazard ddr_waw_hazard \
            ddr_enter_selfref ddr_enter_powerdown ddr_enter_mpsm ddr_refresh ddr_crit_ref \
            ddr_spec_ref ddr_load_mode ddr_zqcl ddr_cam_wr_access ddr_hpr_req_with_nocredit \
            ddr_lpr_req_with_nocredit ddr_bsm_alloc ddr_bsm_starvation ddr_win_limit_reached_rd \
            ddr_win_limit_reached_wr ddr_dqsosc_mpc ddr_dqsosc_mrr ddr_tcr_mrr ddr_zqstart \
            ddr_zqlatch ddr_ddr_reads ddr_ddr_writes ddr_dfi_wr_data_access \
            ddr_dfi_rd_data_access ddr_dfi_cycles ddr_retry_fifo_full ddr_dfi_parity_poison \
            ddr_wr_crc_error ddr_capar_error ddr_rd_crc_error ddr_rd_uc_ecc_error \
            ddr_dfi_cmd_is_retry ddr_cas_ws ddr_cas_ws_off ddr_cas_wck_sus ddr_rfm ddr_enter_dsm \
            ddr_read16 ddr_read32 ddr_write16 ddr_write32",
    },
    // `drivers/perf/marvell_cn10k_tad_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["tad"],
        events: "\
            tad_none tad_req_msh_in_any tad_req_msh_in_mn tad_req_msh_in_exlmn \
            tad_rsp_msh_in_any tad_rsp_msh_in_mn tad_rsp_msh_in_exlmn tad_rsp_msh_in_dss \
            tad_rsp_msh_in_retry_dss tad_dat_msh_in_any tad_dat_msh_in_dss tad_req_msh_out_any \
            tad_req_msh_out_dss_rd tad_req_msh_out_dss_wr tad_req_msh_out_evict \
            tad_rsp_msh_out_any tad_rsp_msh_out_retry_exlmn tad_rsp_msh_out_retry_mn \
            tad_rsp_msh_out_exlmn tad_rsp_msh_out_mn tad_snp_msh_out_any tad_snp_msh_out_mn \
            tad_snp_msh_out_exlmn tad_dat_msh_out_any tad_dat_msh_out_fill tad_dat_msh_out_dss \
            tad_alloc_dtg tad_alloc_ltg tad_alloc_any tad_hit_dtg tad_hit_ltg tad_hit_any \
            tad_tag_rd tad_dat_rd tad_dat_rd_byp tad_ifb_occ tad_req_occ tad_tot_cycle",
    },
    // `drivers/perf/marvell_pem_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["mrvl_pcie_rc_pmu*"],
        events: "\
            ib_tlp_npr ib_tlp_pr ib_tlp_cpl_partid ib_tlp_dwords_npr ib_tlp_dwords_pr \
            ib_tlp_dwords_cpl_partid ib_inflight ib_reads ib_req_no_ro_ncb ib_req_no_ro_ebus \
            ob_tlp_npr_partid ob_tlp_pr_partid ob_tlp_cpl_partid ob_tlp_dwords_npr_partid \
            ob_tlp_dwords_pr_partid ob_tlp_dwords_cpl_partid ob_inflight_partid ob_reads_partid \
            ob_merges_npr_partid ob_merges_pr_partid ob_merges_cpl_partid ats_trans \
            ats_trans_latency ats_pri ats_pri_latency ats_inv ats_inv_latency",
    },
    // `drivers/perf/qcom_l2_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["l2cache"],
        events: "\
            cycles dcache-ops icache-ops tlbi barriers total-reads total-writes total-requests \
            ldrex strex clrex",
    },
    // `drivers/perf/qcom_l3_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &["l3cache*"],
        events: "\
            cycles read-hit read-miss read-hit-d-side read-miss-d-side write-hit write-miss",
    },
    // `drivers/perf/thunderx2_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &[],
        events: "\
            read_request writeback_request inv_nwrite_request inv_request evict_request \
            inv_nwrite_hit inv_hit read_hit cnt_cycles write_txns data_transfers read_txns \
            req_pktsent snoop_pktsent data_pktsent gic_pktsent",
    },
    // `drivers/perf/xgene_pmu.c`
    Driver {
        arch: "arm64",
        pmus: &[],
        events: "\
            cycle-count cycle-count-div-64 read-hit read-miss write-need-replacement \
            write-not-need-replacement tq-full ackq-full wdb-full bank-fifo-full odb-full \
            wbq-full bank-conflict-fifo-issue bank-fifo-issue axi0-read axi0-read-partial \
            axi1-read axi1-read-partial csw-read-block csw-read-partial axi0-write \
            axi0-write-partial axi1-write axi1-write-partial csw-inbound-dirty csw-read \
            csw-write-request mcb-csw-stall cancel-read-gack act-cmd-sent pre-cmd-sent \
            rd-cmd-sent rda-cmd-sent wr-cmd-sent wra-cmd-sent pde-cmd-sent sre-cmd-sent \
            prea-cmd-sent ref-cmd-sent rd-rda-cmd-sent wr-wra-cmd-sent in-rd-collision \
            in-wr-collision collision-queue-not-empty collision-queue-full mcu-request \
            mcu-rd-request mcu-hp-rd-request mcu-wr-request mcu-rd-proceed-all \
            mcu-rd-proceed-cancel mcu-rd-response mcu-rd-proceed-speculative-all \
            mcu-rd-proceed-speculative-cancel mcu-wr-proceed-all mcu-wr-proceed-cancel \
            index-flush-eviction write-caused-replacement write-not-caused-replacement \
            clean-eviction dirty-eviction read write request tq-bank-conflict-issue-stall \
            input-req-async-fifo-stall output-req-async-fifo-stall output-data-async-fifo-stall \
            total-insertion sip-insertions-r-set sip-insertions-r-clear dip-insertions-r-set \
            dip-insertions-r-clear dip-insertions-force-r-set egression replacement \
            old-replacement young-replacement r-set-replacement r-clear-replacement \
            old-r-replacement old-nr-replacement young-r-replacement young-nr-replacement \
            bloomfilter-clearing generation-flip vcc-droop-detected pa-req-buf-alloc-all \
            pa-req-buf-alloc-rd pa-req-buf-alloc-wr pa-all-cp-req pa-cp-blk-req pa-cp-ptl-req \
            pa-cp-rd-req pa-cp-wr-req ba-all-req ba-rd-req ba-wr-req pa-rd-shared-req-issued \
            pa-rd-exclusive-req-issued pa-wr-invalidate-req-issued-stashable \
            pa-wr-invalidate-req-issued-nonstashable pa-wr-back-req-issued-stashable \
            pa-wr-back-req-issued-nonstashable pa-ptl-wr-req pa-ptl-rd-req pa-wr-back-clean-data \
            pa-wr-back-cancelled-on-SS pa-barrier-occurrence pa-barrier-cycles \
            pa-total-cp-snoops pa-rd-shared-snoop pa-rd-shared-snoop-hit pa-rd-exclusive-snoop \
            pa-rd-exclusive-snoop-hit pa-rd-wr-invalid-snoop pa-rd-wr-invalid-snoop-hit \
            pa-req-buffer-full cswlf-outbound-req-fifo-full \
            cswlf-inbound-snoop-fifo-backpressure cswlf-outbound-lack-fifo-full \
            cswlf-inbound-gack-fifo-backpressure cswlf-outbound-data-fifo-full \
            cswlf-inbound-data-fifo-backpressure cswlf-inbound-req-backpressure pa-axi0-rd-req \
            pa-axi0-wr-req pa-axi1-rd-req pa-axi1-wr-req ba-all-axi-req ba-axi-rd-req \
            ba-axi-wr-req ba-free-list-empty req-receive rd-req-recv rd-req-recv-2 wr-req-recv \
            wr-req-recv-2 rd-req-sent-to-mcu rd-req-sent-to-mcu-2 rd-req-sent-to-spec-mcu \
            rd-req-sent-to-spec-mcu-2 glbl-ack-recv-for-rd-sent-to-spec-mcu \
            glbl-ack-go-recv-for-rd-sent-to-spec-mcu glbl-ack-nogo-recv-for-rd-sent-to-spec-mcu \
            glbl-ack-go-recv-any-rd-req glbl-ack-go-recv-any-rd-req-2 wr-req-sent-to-mcu \
            gack-recv rd-gack-recv wr-gack-recv cancel-rd-gack cancel-wr-gack mcb-csw-req-stall \
            mcu-req-intf-blocked mcb-mcu-rd-intf-stall csw-rd-intf-blocked \
            csw-local-ack-intf-blocked mcu-req-table-full mcu-stat-table-full mcu-wr-table-full \
            mcu-rdreceipt-resp mcu-wrcomplete-resp mcu-retryack-resp mcu-pcrdgrant-resp \
            mcu-req-from-lastload mcu-req-from-bypass volt-droop-detect act-sent pre-sent \
            rd-sent rda-sent wr-sent wra-sent pd-entry-vld sref-entry-vld prea-sent ref-sent \
            rd-rda-sent wr-wra-sent raw-hazard war-hazard waw-hazard rar-hazard \
            raw-war-waw-hazard hprd-lprd-wr-req-vld lprd-req-vld hprd-req-vld hprd-lprd-req-vld \
            wr-req-vld partial-wr-req-vld rd-retry wr-retry retry-gnt rank-change dir-change \
            rank-dir-change rank-active rank-idle rank-pd rank-sref queue-fill-gt-thresh \
            queue-rds-gt-thresh queue-wrs-gt-thresh phy-updt-complt tz-fail dram-errc dram-errd \
            rd-enq wr-enq tmac-limit-reached tmaw-tracker-full",
    },
    // `drivers/perf/starfive_starlink_pmu.c`
    Driver {
        arch: "riscv",
        pmus: &["starfive_starlink_pmu"],
        events: "\
            cycles read_request write_request release_request read_hit read_miss write_hit \
            write_miss writeback",
    },
    // `drivers/perf/cxl_pmu.c`
    Driver {
        arch: "",
        pmus: &["cxl_pmu_mem*"],
        events: "\
            clock_ticks d2h_req_rdcurr d2h_req_rdown d2h_req_rdshared d2h_req_rdany \
            d2h_req_rdownnodata d2h_req_itomwr d2h_req_wrcurr d2h_req_clflush d2h_req_cleanevict \
            d2h_req_dirtyevict d2h_req_cleanevictnodata d2h_req_wowrinv d2h_req_wowrinvf \
            d2h_req_wrinv d2h_req_cacheflushed d2h_rsp_rspihiti d2h_rsp_rspvhitv \
            d2h_rsp_rspihitse d2h_rsp_rspshitse d2h_rsp_rspsfwdm d2h_rsp_rspifwdm \
            d2h_rsp_rspvfwdv h2d_req_snpdata h2d_req_snpinv h2d_req_snpcur h2d_rsp_writepull \
            h2d_rsp_go h2d_rsp_gowritepull h2d_rsp_extcmp h2d_rsp_gowritepulldrop \
            h2d_rsp_fastgowritepull h2d_rsp_goerrwritepull cachedata_d2h_data cachedata_h2d_data \
            m2s_req_meminv m2s_req_memrd m2s_req_memrddata m2s_req_memrdfwd m2s_req_memwrfwd \
            m2s_req_memspecrd m2s_req_meminvnt m2s_req_memcleanevict m2s_rwd_memwr \
            m2s_rwd_memwrptl m2s_rwd_biconflict m2s_birsp_i m2s_birsp_s m2s_birsp_e \
            m2s_birsp_iblk m2s_birsp_sblk m2s_birsp_eblk s2m_bisnp_cur s2m_bisnp_data \
            s2m_bisnp_inv s2m_bisnp_curblk s2m_bisnp_datblk s2m_bisnp_invblk s2m_ndr_cmp \
            s2m_ndr_cmps s2m_ndr_cmpe s2m_ndr_biconflictack s2m_drs_memdata s2m_drs_memdatanxm \
            ddr_act ddr_pre ddr_casrd ddr_caswr ddr_refresh ddr_selfrefreshent ddr_rfm \
            m2s_req_memrdtee m2s_req_memrddatatee m2s_req_meminvtee m2s_req_meminvptee \
            m2s_req_memspecrdtee m2s_req_teupdate m2s_req_memclnevcttee m2s_req_memclnevctu \
            m2s_rwd_memrdfill m2s_rwd_memwrtee m2s_rwd_memwrptltee m2s_rwd_memrdfilltee \
            s2m_bisnp_curtee s2m_bisnp_datatee s2m_bisnp_invtee s2m_bisnp_curblktee \
            s2m_bisnp_datablktee s2m_bisnp_invblktee s2m_ndr_cmpm s2m_ndr_cmptee \
            s2m_ndr_cmptee_s s2m_ndr_cmptee_e s2m_drs_memdatatee ddr_cas_rd_ap ddr_cas_wr_ap \
            ddr_refresh_all_banks ddr_refresh_same_bank ddr_pwrdn_entry ddr_pwrdn_exit \
            ddr_rd_wr_ddr_bus_switching ddr_incoming_rd_req ddr_incoming_wr_req rd_queue_occ \
            wr_queue_occ rd_wr_merged_queue_occ pwrdn_event mc_rd_resid_cnt mc_wr_resid_cnt \
            retry_event_trig_by_rd_crc retry_event_trig_by_wr_crc retry_event_trig_by_ca_parity \
            retry_event_trig_by_ecc thermal_throttle_event power_throttle_event",
    },
    // `drivers/perf/dwc_pcie_pmu.c`
    Driver {
        arch: "",
        pmus: &["dwc_rootport"],
        events: "\
            one_cycle TX_L0S RX_L0S L0 L1 L1_1 L1_2 CFG_RCVRY TX_RX_L0S L1_AUX \
            Tx_PCIe_TLP_Data_Payload Rx_PCIe_TLP_Data_Payload Tx_CCIX_TLP_Data_Payload \
            Rx_CCIX_TLP_Data_Payload tx_ack_dllp tx_update_fc_dllp rx_ack_dllp rx_update_fc_dllp \
            rx_nulified_tlp tx_nulified_tlp rx_duplicate_tl tx_memory_write tx_memory_read \
            tx_configuration_write tx_configuration_read tx_io_write tx_io_read \
            tx_completion_without_data tx_completion_with_data tx_message_tlp tx_atomic \
            tx_tlp_with_prefix rx_memory_write rx_memory_read rx_io_write rx_io_read \
            rx_completion_without_data rx_completion_with_data rx_message_tlp rx_atomic \
            rx_tlp_with_prefix tx_ccix_tlp rx_ccix_tlp rx_nullified_tlp tx_nullified_tlp \
            rx_duplicate_tlp",
    },
    // `arch/arm/mach-imx/mmdc.c`
    Driver {
        arch: "arm",
        pmus: &["mmdc*"],
        events: "\
            total-cycles busy-cycles read-accesses write-accesses read-bytes write-bytes",
    },
    // `arch/arm/mm/cache-l2x0-pmu.c`
    Driver {
        arch: "arm",
        pmus: &["l2c_220", "l2c_310"],
        events: "\
            co drhit drreq dwhit dwreq dwtreq irhit irreq wa ipfalloc epfhit epfalloc srrcvd \
            srconf epfrcvd",
    },
    // `arch/powerpc/perf/kvm-hv-pmu.c`
    Driver {
        arch: "powerpc",
        pmus: &["kvm-hv"],
        events: "host_heap host_heap_max host_pagetable host_pagetable_max host_pagetable_reclaim",
    },
    // `arch/powerpc/perf/vpa-pmu.c`
    Driver {
        arch: "powerpc",
        pmus: &["vpa_pmu"],
        events: "l2_runtime_agg l1_to_l2_lat l2_to_l1_lat",
    },
    // `arch/powerpc/perf/vpa-dtl.c`
    Driver {
        arch: "powerpc",
        pmus: &["vpa_dtl"],
        events: "dtl_cede dtl_preempt dtl_fault dtl_all",
    },
    // `arch/powerpc/perf/generic-compat-pmu.c`, `arch/powerpc/perf/power7-pmu.c`,
    // `arch/powerpc/perf/power8-pmu.c`, `arch/powerpc/perf/power9-pmu.c`,
    // `arch/powerpc/perf/power10-pmu.c`, `arch/powerpc/perf/power12-pmu.c`
    Driver {
        arch: "powerpc",
        pmus: &["cpu"],
        events: "\
            cpu-cycles instructions stalled-cycles-frontend branch-misses cache-misses \
            L1-dcache-load-misses L1-dcache-store-misses L1-icache-load-misses LLC-load-misses \
            branch-load-misses dTLB-load-misses iTLB-load-misses stalled-cycles-backend \
            cache-references branch-instructions mem_access L1-dcache-loads L1-dcache-prefetches \
            L1-icache-loads L1-icache-prefetches LLC-loads LLC-prefetches LLC-store-misses \
            LLC-stores branch-loads mem-loads mem-stores",
    },
    // `arch/x86/events/core.c`, `arch/x86/events/intel/core.c`, `arch/x86/events/amd/core.c`
    Driver {
        arch: "x86",
        pmus: &["cpu", "cpu_core", "cpu_atom", "cpu_lowpower"],
        events: "\
            cpu-cycles instructions cache-references cache-misses branch-instructions \
            branch-misses bus-cycles stalled-cycles-frontend stalled-cycles-backend ref-cycles \
            mem-loads mem-stores topdown-total-slots topdown-slots-issued topdown-slots-retired \
            topdown-fetch-bubbles topdown-recovery-bubbles slots topdown-retiring \
            topdown-bad-spec topdown-fe-bound topdown-be-bound topdown-heavy-ops \
            topdown-br-mispredict topdown-fetch-lat topdown-mem-bound tx-start tx-commit \
            tx-abort tx-capacity tx-conflict el-start el-commit el-abort el-capacity el-conflict \
            cycles-t cycles-ct tx-capacity-read tx-capacity-write el-capacity-read \
            el-capacity-write mem-loads-aux branch-brs",
    },
    // `arch/x86/events/intel/cstate.c`
    Driver {
        arch: "x86",
        pmus: &["cstate_core"],
        events: "c1-residency c3-residency c6-residency c7-residency",
    },
    // `arch/x86/events/intel/cstate.c`
    Driver {
        arch: "x86",
        pmus: &["cstate_pkg", "cstate_die"],
        events: "\
            c2-residency c3-residency c6-residency c7-residency c8-residency c9-residency \
            c10-residency",
    },
    // `arch/x86/events/intel/cstate.c`
    Driver { arch: "x86", pmus: &["cstate_module"], events: "c6-residency" },
    // `arch/x86/events/msr.c`
    Driver {
        arch: "x86",
        pmus: &["msr"],
        events: "tsc aperf mperf pperf smi ptsc irperf cpu_thermal_margin",
    },
    // `arch/x86/events/rapl.c`, `arch/x86/events/amd/power.c`
    Driver {
        arch: "x86",
        pmus: &["power"],
        events: "energy-cores energy-pkg energy-ram energy-gpu energy-psys power-pkg",
    },
    Driver { arch: "x86", pmus: &["power_core"], events: "energy-core" },
    // `arch/x86/events/intel/uncore_nhmex.c`, `arch/x86/events/intel/uncore_snb.c`,
    // `arch/x86/events/intel/uncore_snbep.c`
    Driver {
        arch: "x86",
        pmus: &[],
        events: "\
            clockticks bbox_cmds_read bbox_cmds_write qpi0_flit_send qpi1_filt_send \
            qpi0_idle_filt qpi1_idle_filt qpi0_date_response qpi1_date_response data_reads \
            data_writes gt_requests ia_requests io_requests qmc_writes_full_any \
            qmc_normal_reads_any qhl_request_ioh_reads qhl_request_ioh_writes \
            qhl_request_remote_reads qhl_request_remote_writes qhl_request_local_reads \
            qhl_request_local_writes data_total data_read data_write cas_count_read \
            cas_count_write txl_flits_active drs_data ncb_data ioclk bw_in_port0 bw_in_port1 \
            bw_in_port2 bw_in_port3 bw_out_port0 bw_out_port1 bw_out_port2 bw_out_port3 \
            util_in_port0 util_out_port0 util_in_port1 util_out_port1 util_in_port2 \
            util_out_port2 util_in_port3 util_out_port3 bw_in_port4 bw_in_port5 bw_in_port6 \
            bw_in_port7 dclk read write ddrt_read ddrt_write rpq_cycles wpq_cycles \
            cas_count_read_sch0 cas_count_read_sch1 cas_count_write_sch0 cas_count_write_sch1 \
            inb_data_port0 inb_data_port1 inb_data_port2 inb_data_port3 inb_data_port4 \
            inb_data_port5 inb_data_port6 inb_data_port7 bw_out_port4 bw_out_port5 bw_out_port6 \
            bw_out_port7",
    },
    // `arch/x86/events/amd/iommu.c`
    Driver {
        arch: "x86",
        pmus: &["amd_iommu"],
        events: "\
            mem_pass_untrans mem_pass_pretrans mem_pass_excl mem_target_abort mem_trans_total \
            mem_iommu_tlb_pte_hit mem_iommu_tlb_pte_mis mem_iommu_tlb_pde_hit \
            mem_iommu_tlb_pde_mis mem_dte_hit mem_dte_mis page_tbl_read_tot page_tbl_read_nst \
            page_tbl_read_gst int_dte_hit int_dte_mis cmd_processed cmd_processed_inv tlb_inv \
            ign_rd_wr_mmio_1ff8h vapic_int_non_guest vapic_int_guest smi_recv smi_blk",
    },
    // `drivers/iommu/intel/perfmon.c`
    Driver {
        arch: "x86",
        pmus: &["dmar*"],
        events: "\
            iommu_clocks iommu_requests pw_occupancy ats_blocked iommu_mrds iommu_mem_blocked \
            pg_req_posted ctxt_cache_lookup ctxt_cache_hit pasid_cache_lookup pasid_cache_hit \
            ss_nonleaf_lookup ss_nonleaf_hit fs_nonleaf_lookup fs_nonleaf_hit hpt_nonleaf_lookup \
            hpt_nonleaf_hit iotlb_lookup iotlb_hit hpt_leaf_lookup hpt_leaf_hit int_cache_lookup \
            int_cache_hit_nonposted int_cache_hit_posted",
    },
    // `drivers/nvdimm/nd_perf.c`
    Driver {
        arch: "",
        pmus: &["nmem*"],
        events: "\
            ctl_res_cnt ctl_res_tm poweron_secs mem_life cri_res_util host_l_cnt host_s_cnt \
            host_s_dur host_l_dur med_r_cnt med_w_cnt med_r_dur med_w_dur cache_rh_cnt \
            cache_wh_cnt fast_w_cnt",
    },
    // `drivers/devfreq/event/rockchip-dfi.c`
    Driver {
        arch: "arm64",
        pmus: &["rockchip_ddr"],
        events: "\
            cycles read-bytes0 write-bytes0 read-bytes1 write-bytes1 read-bytes2 write-bytes2 \
            read-bytes3 write-bytes3 read-bytes write-bytes bytes",
    },
    // `arch/s390/kernel/perf_cpum_cf_events.c`, `arch/s390/kernel/perf_cpum_cf.c`
    Driver { arch: "s390", pmus: &["cpum_cf_diag"], events: "CF_DIAG" },
    Driver {
        arch: "s390",
        pmus: &["cpum_cf"],
        events: "\
            CPU_CYCLES INSTRUCTIONS L1I_DIR_WRITES L1I_PENALTY_CYCLES PROBLEM_STATE_CPU_CYCLES \
            PROBLEM_STATE_INSTRUCTIONS PROBLEM_STATE_L1I_DIR_WRITES \
            PROBLEM_STATE_L1I_PENALTY_CYCLES PROBLEM_STATE_L1D_DIR_WRITES \
            PROBLEM_STATE_L1D_PENALTY_CYCLES L1D_DIR_WRITES L1D_PENALTY_CYCLES PRNG_FUNCTIONS \
            PRNG_CYCLES PRNG_BLOCKED_FUNCTIONS PRNG_BLOCKED_CYCLES SHA_FUNCTIONS SHA_CYCLES \
            SHA_BLOCKED_FUNCTIONS SHA_BLOCKED_CYCLES DEA_FUNCTIONS DEA_CYCLES \
            DEA_BLOCKED_FUNCTIONS DEA_BLOCKED_CYCLES AES_FUNCTIONS AES_CYCLES \
            AES_BLOCKED_FUNCTIONS AES_BLOCKED_CYCLES ECC_FUNCTION_COUNT ECC_CYCLES_COUNT \
            ECC_BLOCKED_FUNCTION_COUNT ECC_BLOCKED_CYCLES_COUNT L1I_L2_SOURCED_WRITES \
            L1D_L2_SOURCED_WRITES L1I_L3_LOCAL_WRITES L1D_L3_LOCAL_WRITES L1I_L3_REMOTE_WRITES \
            L1D_L3_REMOTE_WRITES L1D_LMEM_SOURCED_WRITES L1I_LMEM_SOURCED_WRITES \
            L1D_RO_EXCL_WRITES L1I_CACHELINE_INVALIDATES ITLB1_WRITES DTLB1_WRITES \
            TLB2_PTE_WRITES TLB2_CRSTE_WRITES TLB2_CRSTE_HPAGE_WRITES ITLB1_MISSES DTLB1_MISSES \
            L2C_STORES_SENT L1D_OFFBOOK_L3_SOURCED_WRITES L1D_ONBOOK_L4_SOURCED_WRITES \
            L1I_ONBOOK_L4_SOURCED_WRITES L1D_OFFBOOK_L4_SOURCED_WRITES \
            L1I_OFFBOOK_L4_SOURCED_WRITES DTLB1_HPAGE_WRITES L1I_OFFBOOK_L3_SOURCED_WRITES \
            L1D_ONCHIP_L3_SOURCED_WRITES L1D_OFFCHIP_L3_SOURCED_WRITES \
            L1I_ONCHIP_L3_SOURCED_WRITES L1I_OFFCHIP_L3_SOURCED_WRITES L1D_L2I_SOURCED_WRITES \
            L1I_L2I_SOURCED_WRITES L1D_L2D_SOURCED_WRITES TX_NC_TEND \
            L1D_ONCHIP_L3_SOURCED_WRITES_IV L1D_OFFCHIP_L3_SOURCED_WRITES_IV \
            L1D_OFFBOOK_L3_SOURCED_WRITES_IV TX_C_TEND L1I_ONCHIP_L3_SOURCED_WRITES_IV \
            L1I_OFFCHIP_L3_SOURCED_WRITES_IV L1I_OFFBOOK_L3_SOURCED_WRITES_IV TX_NC_TABORT \
            TX_C_TABORT_NO_SPECIAL TX_C_TABORT_SPECIAL DTLB1_GPAGE_WRITES L1C_TLB1_MISSES \
            L1D_ONNODE_L4_SOURCED_WRITES L1D_ONNODE_L3_SOURCED_WRITES_IV \
            L1D_ONNODE_L3_SOURCED_WRITES L1D_ONDRAWER_L4_SOURCED_WRITES \
            L1D_ONDRAWER_L3_SOURCED_WRITES_IV L1D_ONDRAWER_L3_SOURCED_WRITES \
            L1D_OFFDRAWER_SCOL_L4_SOURCED_WRITES L1D_OFFDRAWER_SCOL_L3_SOURCED_WRITES_IV \
            L1D_OFFDRAWER_SCOL_L3_SOURCED_WRITES L1D_OFFDRAWER_FCOL_L4_SOURCED_WRITES \
            L1D_OFFDRAWER_FCOL_L3_SOURCED_WRITES_IV L1D_OFFDRAWER_FCOL_L3_SOURCED_WRITES \
            L1D_ONNODE_MEM_SOURCED_WRITES L1D_ONDRAWER_MEM_SOURCED_WRITES \
            L1D_OFFDRAWER_MEM_SOURCED_WRITES L1D_ONCHIP_MEM_SOURCED_WRITES \
            L1I_ONNODE_L4_SOURCED_WRITES L1I_ONNODE_L3_SOURCED_WRITES_IV \
            L1I_ONNODE_L3_SOURCED_WRITES L1I_ONDRAWER_L4_SOURCED_WRITES \
            L1I_ONDRAWER_L3_SOURCED_WRITES_IV L1I_ONDRAWER_L3_SOURCED_WRITES \
            L1I_OFFDRAWER_SCOL_L4_SOURCED_WRITES L1I_OFFDRAWER_SCOL_L3_SOURCED_WRITES_IV \
            L1I_OFFDRAWER_SCOL_L3_SOURCED_WRITES L1I_OFFDRAWER_FCOL_L4_SOURCED_WRITES \
            L1I_OFFDRAWER_FCOL_L3_SOURCED_WRITES_IV L1I_OFFDRAWER_FCOL_L3_SOURCED_WRITES \
            L1I_ONNODE_MEM_SOURCED_WRITES L1I_ONDRAWER_MEM_SOURCED_WRITES \
            L1I_OFFDRAWER_MEM_SOURCED_WRITES L1I_ONCHIP_MEM_SOURCED_WRITES \
            MT_DIAG_CYCLES_ONE_THR_ACTIVE MT_DIAG_CYCLES_TWO_THR_ACTIVE DTLB2_WRITES \
            DTLB2_MISSES DTLB2_HPAGE_WRITES DTLB2_GPAGE_WRITES ITLB2_WRITES ITLB2_MISSES \
            TLB2_ENGINES_BUSY L1C_TLB2_MISSES L1D_ONCHIP_MEMORY_SOURCED_WRITES \
            L1D_ONCLUSTER_L3_SOURCED_WRITES L1D_ONCLUSTER_MEMORY_SOURCED_WRITES \
            L1D_ONCLUSTER_L3_SOURCED_WRITES_IV L1D_OFFCLUSTER_L3_SOURCED_WRITES \
            L1D_OFFCLUSTER_MEMORY_SOURCED_WRITES L1D_OFFCLUSTER_L3_SOURCED_WRITES_IV \
            L1D_OFFDRAWER_L3_SOURCED_WRITES L1D_OFFDRAWER_MEMORY_SOURCED_WRITES \
            L1D_OFFDRAWER_L3_SOURCED_WRITES_IV L1D_OFFDRAWER_L4_SOURCED_WRITES \
            L1D_ONCHIP_L3_SOURCED_WRITES_RO L1I_ONCHIP_MEMORY_SOURCED_WRITES \
            L1I_ONCLUSTER_L3_SOURCED_WRITES L1I_ONCLUSTER_MEMORY_SOURCED_WRITES \
            L1I_ONCLUSTER_L3_SOURCED_WRITES_IV L1I_OFFCLUSTER_L3_SOURCED_WRITES \
            L1I_OFFCLUSTER_MEMORY_SOURCED_WRITES L1I_OFFCLUSTER_L3_SOURCED_WRITES_IV \
            L1I_OFFDRAWER_L3_SOURCED_WRITES L1I_OFFDRAWER_MEMORY_SOURCED_WRITES \
            L1I_OFFDRAWER_L3_SOURCED_WRITES_IV L1I_OFFDRAWER_L4_SOURCED_WRITES \
            BCD_DFP_EXECUTION_SLOTS VX_BCD_EXECUTION_SLOTS DECIMAL_INSTRUCTIONS \
            LAST_HOST_TRANSLATIONS DFLT_ACCESS DFLT_CYCLES DFLT_CC DFLT_CCFINISH \
            CRSTE_1MB_WRITES DCW_REQ DCW_REQ_IV DCW_REQ_CHIP_HIT DCW_REQ_DRAWER_HIT DCW_ON_CHIP \
            DCW_ON_CHIP_IV DCW_ON_CHIP_CHIP_HIT DCW_ON_CHIP_DRAWER_HIT DCW_ON_MODULE \
            DCW_ON_DRAWER DCW_OFF_DRAWER DCW_ON_CHIP_MEMORY DCW_ON_MODULE_MEMORY \
            DCW_ON_DRAWER_MEMORY DCW_OFF_DRAWER_MEMORY IDCW_ON_MODULE_IV IDCW_ON_MODULE_CHIP_HIT \
            IDCW_ON_MODULE_DRAWER_HIT IDCW_ON_DRAWER_IV IDCW_ON_DRAWER_CHIP_HIT \
            IDCW_ON_DRAWER_DRAWER_HIT IDCW_OFF_DRAWER_IV IDCW_OFF_DRAWER_CHIP_HIT \
            IDCW_OFF_DRAWER_DRAWER_HIT ICW_REQ ICW_REQ_IV ICW_REQ_CHIP_HIT ICW_REQ_DRAWER_HIT \
            ICW_ON_CHIP ICW_ON_CHIP_IV ICW_ON_CHIP_CHIP_HIT ICW_ON_CHIP_DRAWER_HIT ICW_ON_MODULE \
            ICW_ON_DRAWER ICW_OFF_DRAWER ICW_ON_CHIP_MEMORY ICW_ON_MODULE_MEMORY \
            ICW_ON_DRAWER_MEMORY ICW_OFF_DRAWER_MEMORY SORTL NNPA_INVOCATIONS NNPA_COMPLETIONS \
            NNPA_WAIT_LOCK NNPA_HOLD_LOCK CYCLES_SAMETHRD CYCLES_DIFFTHRD INST_SAMETHRD \
            INST_DIFFTHRD WRONG_BRANCH_PREDICTION NNPA_INST_ONCHIP NNPA_INST_OFFCHIP \
            NNPA_INST_DIFF NNPA_4K_PREFETCH NNPA_COMPL_LOCK NNPA_RETRY_LOCK \
            NNPA_RETRY_LOCK_WITH_PLO",
    },
    // `arch/s390/kernel/perf_cpum_sf.c`
    Driver { arch: "s390", pmus: &["cpum_sf"], events: "SF_CYCLES_BASIC SF_CYCLES_BASIC_DIAG" },
];
