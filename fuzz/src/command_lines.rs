//! What is asked of a recording: together, all that is read of it and all ways to write it.

/// The words of `pmu script`.
pub const SCRIPTS: [&str; 5] = [
    "--header",
    "--ns --reltime --no-inline --show-task-events --show-mmap-events --show-switch-events \
     --show-namespace-events --show-cgroup-events --show-lost-events --show-bpf-events \
     --show-text-poke-events",
    "-F ip,dso,sym,addr,weight",
    "-F brstack,dso,data_src",
    "-F comm,pid,tid,cpu,time,event,ip,sym,symoff,dso,trace --time 10%-90% -C 0-3 --max-stack 3",
];
/// The words of `pmu report`.
pub const REPORTS: [&str; 11] = [
    "--stdio --header --children",
    "-F overhead,overhead_sys,sample,function,cpu,overhead_children -g fractal,0,address",
    "-F +comm,period --show-cpu-utilization --children -g flat,1,5,count",
    "-g folded,caller,0 -G --sort function",
    "-t, -n --show-total-period --mem-mode",
    "-n --show-total-period --sort cpu,function",
    "--json --sort comm,pid,tid,cpu,module,function,line",
    "--csv --sort data,data-module,cache-line,physical-address,page-size,memory,snoop,tlb,locked",
    "--percent-limit 10 --time ,50% --dsos x",
    "--folded",
    "--html -",
];
