/* The table of commands: adding a command is one row here and one file. */
#include "cli.h"

const struct command commands[] = {
	{"compare", "", "mwkpntsjdfiRxrY", 0, 0, cmd_compare,
	 "run kernels on a machine under a workload, print the table",
	 "Without arguments: a small example. The first kernel is the baseline. Runs that\n"
	 "the database holds are not run again, so an interrupted comparison goes on."},
	{"ablate", "KERNEL [BASE]", "mwpntsjdfi", 1, 2, cmd_ablate,
	 "what each choice of a kernel does: one at a time as its base has it",
	 "Columns of the table: the kernel, the kernel without each of its choices, and\n"
	 "its base. Without BASE that is what its file names; of NAME:option=value,...\n"
	 "it is NAME."},
	{"run", "", "mwkptsJTFDdCWQ", 0, 0, cmd_run, "one run and its numbers",
	 "The run is replicate 0 of what `compare` would do with the same arguments. It is\n"
	 "stored only if --db is given."},
	{"experiment", "NAME", "muntsjdfcRx", 1, 1, cmd_experiment,
	 "predicted against published, per load and kernel",
	 "Runs, time and seed are the file's unless they are given. Runs that the database\n"
	 "holds are not run again. -m goes with an experiment without published values."},
	{"score", "[NAME]...", "untsjdfoAX", 0, UINT32_MAX, cmd_score,
	 "how good the predictions of experiments are",
	 "All experiments without a name. Signs, ranks and sizes of every published cell,\n"
	 "beside those of models that know nothing; cells worst first. --against scores a\n"
	 "table that is not in the data folder, in the columns of experiments/published."},
	{"list", "machines|kernels|workloads|experiments|options|operations", "", 1, 1,
	 cmd_list, "what there is to choose from",
	 "Options are those of kernels, operations those of workload programs."},
	{"show", "RUN", "dJ", 1, 1, cmd_show, "a stored run",
	 "RUN is an identity, its first 4 or more digits, or `last`."},
	{"explain", "RUN RUN | FILE FILE", "dfmiHVPUSBE", 2, 2, cmd_explain,
	 "what differs between two runs, or two recordings, largest first",
	 "RUN is an identity, its first 4 or more digits, or `last`. Both are run again,\n"
	 "and the time of the tasks that make the metric is split by reason. FILE is a\n"
	 "recording as `sibyl summary` takes it; -m tells how far migrations went. All\n"
	 "tasks count."},
	{"trace", "RUN", "do", 1, 1, cmd_trace, "replay a stored run and write its trace",
	 "The replay must give the digest that was stored, else the status is 1."},
	{"summary", "FILE", "PUSBE", 1, 1, cmd_summary,
	 "what a recording of the scheduler holds, as JSON",
	 "FILE is text of `trace-cmd report -t` (also .gz; - is the standard input) or a\n"
	 "trace.dat. Shares, stays, preemptions, migrations and wake-up latencies of each\n"
	 "task, and of which groups (leading letters) siblings ran tasks together."},
	{"machine", "show|draw|import MACHINE", "oNM", 2, 2, cmd_machine,
	 "look at a machine, or make one from what people paste",
	 "MACHINE is a name, a file, `this`, or a topology: \"pack:2 core:4 pu:2\".\n"
	 "import takes hwloc XML, or lscpu -p, -e or -J output (with --numactl: a file\n"
	 "with the output of numactl -H)."},
	{"kernel", "show KERNEL | diff KERNEL KERNEL", "", 2, 3, cmd_kernel,
	 "every option of a kernel, or what differs between two",
	 "KERNEL is a name or a file, with ad hoc options if wanted: NAME:option=value,..."},
	{"workload", "show WORKLOAD", "y", 2, 2, cmd_workload,
	 "parameters, metrics and groups of a workload",
	 "WORKLOAD is a name or a file; a .json is a file of rt-app, which --yaml prints\n"
	 "translated."},
	{"check", "[FILE|NAME]...", "a", 0, UINT32_MAX, cmd_check,
	 "load data files and say what is wrong with them", ""},
	{"doctor", "", "d", 0, 0, cmd_doctor,
	 "versions, data folder, database, and a self-test of one second", ""},
};

const u32 command_count = ARRAY_SIZE(commands);
