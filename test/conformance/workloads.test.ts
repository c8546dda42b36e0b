import { runRows } from './harness/runRows.ts';
import { containerRows } from './rows/workload/container.ts';
import { workloadOptionRows } from './rows/workload/options.ts';
import { sidecarRows } from './rows/workload/sidecar.ts';
import { workloadRows } from './rows/workload/workload.ts';

runRows([...sidecarRows, ...workloadRows, ...containerRows, ...workloadOptionRows]);
