//! perf 6.12's results for event strings and sysfs files, recorded on simulated
//! machines.

/// An event string; then, for each event, the part of `perf_event_attr` that
/// follows from the text, and its name if a term sets one.
///
/// `type:config` (without the PMU type of hybrid machines), for a breakpoint
/// `5:address,length,access`, or `pmu` if the PMU determines it. Then the
/// exclusions (user, kernel, hv, Host, Guest, Idle), the precise level, pinneD,
/// exclusive, Sample-read. `!syntax` is an error in the text, `!` one on the
/// machine, and `?` marks what perf's own tests parse but the recording did not
/// run.
pub(super) const EVENTS: &str = r#"
`instructions` 0:0x1 G
`cycles/period=100000,config2/` 0:0x0 G
`faults` 1:0x2 G
`mem:0:x` 5:0x0,8,4 G
`1:1:hp` 1:0x1 ukG1
`mem:0:u` 5:0x0,4,3 khG
`mem:0:x:k` 5:0x0,8,4 uh
`mem:0:r:hp` 5:0x0,4,1 ukG1
`mem:0:w:up` 5:0x0,4,2 khG1
`{instructions:k,cycles:upp}` 0:0x1 uh | 0:0x0 khG2
`{cycles,cache-misses:G}:H` 0:0x0 G | 0:0x3 -
`{cycles,cache-misses:H}:G` 0:0x0 H | 0:0x3 -
`{cycles:G,cache-misses:H}:u` 0:0x0 khH | 0:0x3 khG
`{cycles,cache-misses,branch-misses}:S` 0:0x0 GS | 0:0x3 GS | 0:0x5 GS
`instructions:kIG` 0:0x1 uhHI
`r1234/name=rawpmu/` 4:0x1234 G "rawpmu"
`4:0x6530160/name=numpmu/` 4:0x6530160 G "numpmu"
`cycles/name='COMPLEX_CYCLES_NAME:orig=cycles,desc=chip-clock-ticks'/Duk` 0:0x0 hGD "COMPLEX_CYCLES_NAME:orig=cycles,desc=chip-clock-ticks"
`cycles//u` 0:0x0 khG
`cycles:k` 0:0x0 uh
`instructions:uep` 0:0x1 khG1e
`{cycles,cache-misses,branch-misses}:e` 0:0x0 Ge | 0:0x3 G | 0:0x5 G
`cycles/name=name/` 0:0x0 G "name"
`mem:0:x/name=breakpoint/` 5:0x0,8,4 G "breakpoint"
`mem:0:r/name=breakpoint/` 5:0x0,4,1 G "breakpoint"
`mem:0:w/name=breakpoint/` 5:0x0,4,2 G "breakpoint"
`mem:0:rw/name=breakpoint/` 5:0x0,4,3 G "breakpoint"
`mem:0/2:w/name=breakpoint/` 5:0x0,2,2 G "breakpoint"
`mem:0/1/name=breakpoint1/,mem:0/4:rw/name=breakpoint2/` 5:0x0,1,3 G "breakpoint1" | 5:0x0,4,3 G "breakpoint2"
`cpu/config=10,config1=1,config2=3,period=1000/u` pmu khG
`cpu/name='COMPLEX_CYCLES_NAME:orig=cycles,desc=chip-clock-ticks',period=0x1,event=0x2/ukp` pmu hG1 "COMPLEX_CYCLES_NAME:orig=cycles,desc=chip-clock-ticks"
`software/r0x1a/` pmu G
`cpu/L1-dcache-load-miss/` 3:0x10000 G
`cpu/L1-dcache-load-miss/kp` 3:0x10000 uhG1
`cpu/instructions/` pmu G
`cpu/cycles,period=100000,config2/` 0:0x0 G
`cpu/instructions/h` pmu uk
`cpu/instructions/G` pmu H
`cpu/instructions/H` pmu G
`{cpu/instructions/k,cpu/cycles/upp}` pmu uh | 0:0x0 khG2
`{cpu/cycles/u,cpu/instructions/kp}:p` 0:0x0 khG1 | pmu uhG2
`{cpu/cycles/,cpu/cache-misses/G}:H` 0:0x0 G | pmu -
`{cpu/cycles/,cpu/cache-misses/H}:G` 0:0x0 H | pmu -
`{cpu/cycles/,cpu/cache-misses/,cpu/branch-misses/}:S` 0:0x0 GS | pmu GS | pmu GS
`cpu/instructions/uDp` pmu khG1D
`{cpu/cycles/,cpu/cache-misses/,cpu/branch-misses/}:D` 0:0x0 GD | pmu G | pmu G
`cpu/instructions/I` pmu I
`{cpu/cycles/,cpu/cache-misses/,cpu/branch-misses/}:e` 0:0x0 Ge | pmu G | pmu G
`cpu/cycles,name=l1d/` 0:0x0 G "l1d"
`cpu_core/cycles/` 0:0x0 G
`{cpu_core/cycles/,cpu_core/branches/}` 0:0x0 G | 0:0x4 G
`{cpu_core/cycles/k,cpu_core/branches/u}` 0:0x0 uh | 0:0x4 khG
`r1a` 4:0x1a G
`cpu_core/r1a/` pmu G
`cpu/inst_retired.any/` pmu G
`cpu/INST_RETIRED.ANY/` pmu G
`cpu/event=inst_retired.any/` pmu G
`cpu/inst_retired.any,period=5/` pmu G
`cpu/period=5,inst_retired.any/` pmu G
`cpu/mem-loads,ldlat=30/` pmu G
`mem-loads` pmu G
`cpu/cpu-cycles/` pmu G
`cpu/cache-misses/` pmu G
`cpu/cache-misses,umask=1/` pmu G
`cycles` 0:0x0 G
`cpu-cycles` 0:0x0 G
`L1-dcache-load-misses` 3:0x10000 G
`l1d` 3:0x0 G
`dTLB-store-misses` 3:0x10103 G
`cpu/event=0x3c,umask=0/` pmu G
`cpu/event=0x100/` pmu G
`cpu/cmask=256/` !
`cpu/foo=1/` !
`cpu/inv=2/` !
`cpu/any/` pmu G
`cpu/config1=0x1234/` pmu G
`cpu/config=1,event=2/` pmu G
`cpu/event=2,config=1/` pmu G
`cpu/event=1,event=2/` pmu G
`cpu/umask=0x01,umask=0x02/` pmu G
`cpu//` pmu G
`msr/cpu_thermal_margin/` pmu G
`imc_0/cas_count_read/` pmu G
`uncore_imc_*/cas_count_read/` pmu G
`uncore_imc_9/cas_count_read/` !
`cas_count_read` pmu G
`unc_m_cas_count.rd` pmu G
`UNC_M_CAS_COUNT.RD` pmu G
`uncore_imc/event=4,umask=3/` pmu G
`uncore_imc/event=4,umask=3,thresh=1/` pmu G
`llc_misses.mem_read` pmu G
`iio/unc_iio_clockticks/` pmu G
`bw_in_port0` pmu G
`uncore_upi/event=2,umask=0x1ff0f/` pmu G
`uncore_upi/umask=0x7fffffff/` pmu G
`uncore_upi/umask=0xffffffff/` !
`uncore_pcu/filter_band0=5,event=0xb/` pmu G
`inst_retired.any:u` pmu khG
`inst_retired.any:k` pmu uh
`inst_retired.any:ukhpG` pmu H1
`inst_retired.any:pppp` !syntax
`inst_retired.any:D` pmu D
`inst_retired.any:x` !
`cpu/inst_retired.any/u` pmu khG
`cpu/inst_retired.any/upp` pmu khG2
`cpu/inst_retired.any,name=foo/` pmu G "foo"
`cpu/inst_retired.any,percore/` pmu G
`cpu/inst_retired.any,percore=1/` pmu G
`cpu/inst_retired.any,freq=100/` pmu G
`r1a8` 4:0x1a8 G
`r0x1a8` !
`rFFFFFFFFFFFFFFFF` 4:0xffffffffffffffff G
`cpu/r1a8/` pmu G
`4:0x3c` 4:0x3c G
`8:0x304` 8:0x304 G
`{inst_retired.any,cycles}` pmu G | 0:0x0 G
`{inst_retired.any,cycles}:u` pmu khG | 0:0x0 khG
`cpu-clock` 1:0x0 G
`dummy` 1:0x9 G
`software/config=2/` pmu G
`software/r1a/` pmu G
`mem:0x1000` 5:0x1000,4,3 G
`mem:0x1000/8:rw:u` 5:0x1000,8,3 khG
`cpu/event=0x3c` !syntax
`,` !syntax
` cycles` 0:0x0 G
`cycles ` 0:0x0 G
`offcore_response.all_data_rd.l3_miss.any_snoop` pmu G
`cpu_clk_unhalted.ref` !
`cpu_clk_unhalted.thread` pmu G
`cpu_clk_unhalted.thread_any` pmu G
`uncore_imc/cas_count_read,foo=1/` !
`cpu/event=0x3c,name=a.b-c/` pmu G "a.b-c"
`cpu/event=0x3c,call-graph=fp,time=0/` pmu G
`cpu/event=0x3c,metric-id=abc/` pmu G
`inst_retired.any` pmu G
`cpu_atom/inst_retired.any/` pmu G
`LLC-loads` 3:0x2 G
`cpu_atom/r1a/` pmu G
`topdown.slots` pmu G
`unc_mc0_rdcas_count_freerun` pmu G
`cpu_atom/frontend=1/` !
`slots` pmu G
`cpu_clk_unhalted.core` pmu G
`unc_clock.socket` pmu G
`ls_dispatch.ld_dispatch` pmu G
`cpu/ex_ret_instr/` pmu G
`amd_umc_0/event=0xa,rdwrmask=1/` pmu G
`cpu/event=0xfff/` pmu G
`ibs_op/cnt_ctl=1/` pmu G
`ibs_op//` pmu G
`cpu_cycles` pmu G
`inst_retired` pmu G
`armv8_pmuv3_0/l1d_cache/` pmu G
`armv8_pmuv3_0/cpu_cycles/` pmu G
`armv8_pmuv3_0/event=0x11/` pmu G
`armv8_pmuv3_0/event=0x11,threshold=5,threshold_compare=2/` pmu G
`arm_cmn_0/dtc_cycles/` pmu G
`hisi_sccl1_ddrc2/event=2/` pmu G
`smmuv3_pmcg_2b402/cycles,filter_enable=1,filter_stream_id=0x42/` pmu G
`smmuv3_pmcg/cycles/` pmu G
`BR_MIS_PRED` pmu G
`mem_access` pmu G
`pm_cyc` pmu G
`PM_CYC` pmu G
`cpu/event=0x4d05e/` pmu G
`hv_24x7/PM_PB_CYC/` !
`hv_24x7/CPM_ADJUNCT_INST,core=2/` !
`bp_l1_btb_correct` pmu G
`BP_L1_BTB_CORRECT` pmu G
`uncore_imc/cache_miss/` pmu G
`uncore_imc.cache_hits` pmu G
`event-hyphen` pmu G
`uncore_cbox_0/event-hyphen/` pmu G
`sys_ccn_pmu.read_cycles` pmu G
`sys_cmn_pmu.hnf_cache_miss` pmu G
`segment_reg_loads.any` pmu G
`l3_cache_rd` pmu G
`Mixed_Case` !
`cpu/Mixed_Case/` !
`UPPER` pmu G
`lower` pmu G
`cpu/LOWER/` pmu G
`withperiod` pmu G
`cpu/period=7,withperiod/` pmu G
`cpu/twolevel/` pmu G
`cpu/twolevel,umask=1/` pmu G
`cpu/gap=16/` !
`cpu/novalue/` pmu G
`novalue` pmu G
`cpu/param/` !
`cpu/cfg/` pmu G
`cpu/cfg,event=1/` pmu G
`cpu/scaled/` pmu G
`cpu/scaled,snap/` !
`cpu/hi=15/` pmu G
`cpu/hi=16/` !
`cpu/one/` pmu G
`cpu/one=2/` !
`cpu/gap/` !
`cpu/c2=0x1f/` pmu G
`cpu/c2=32/` !
`uncore_foo/bar/` pmu G
`uncore_alias/event=1/` pmu G
`uncore_alias_1/event=1/` pmu G
`nocpumask/bar/` !
`baz` pmu G
`syscalls:sys_enter_openat` ?
`syscalls:*` ?
`syscalls:sys_enter_openat:k` ?
`syscalls:*:u` ?
`r1,syscalls:sys_enter_openat:k,1:1:hp` ?
`group1{syscalls:sys_enter_openat:H,cycles:kppp},group2{cycles,1:3}:G,instructions:u` ?
`*:*` ?
`kvm-s390:kvm_s390_create_vm` ?
`intel_pt//u` ?
`9p:9p_client_req` ?
"#;

/// The text of a file in a PMU's `events` directory; then each term's kind,
/// name and value, or `!` for an error.
pub(super) const TERMS: &str = r#"
`umask=03` format umask 0x3
`umask=0x` format umask "0x"
`event=abc` format event "abc"
`event=?` format event "?"
`foo` format foo -
`foo=bar` format foo "bar"
`config=0xffffffffffffffff` config config 0xffffffffffffffff
`config=18446744073709551615` config config 0xffffffffffffffff
`config=18446744073709551616` !
` event=1` format event 0x1
`EVENT=1` format EVENT 0x1
`Event=0x3C` format Event 0x3c
`event=0X3c` format event "0X3c"
`call-graph=fp` call-graph call-graph "fp"
`name='a:b=c,d'` name name "a:b=c,d"
`freq=100` freq freq 0x64
`branch_type=any,u` branch_type branch_type "any" | format u -
`cycles` hardware cycles -
`instructions` hardware instructions -
`branch-misses` hardware branch-misses -
`read` raw read -
`r12zz` format r12zz -
`domain=1,offset=0x80,chip=?,lpar=0x0` format domain 0x1 | format offset 0x80 | format chip "?" | format lpar 0x0
`edge` format edge -
`a.b=1` format a.b 0x1
`event=0x3c` format event 0x3c
`config:1` format config:1 -
`event=1/` !
`type=5,eventid=1` format type 0x5 | format eventid 0x1
`event=cycles` format event "cycles"
`event=L1-dcache-loads` format event "L1-dcache-loads"
`l1d` format l1d -
`node` format node -
"#;
