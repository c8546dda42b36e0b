import { containerRows } from './rows/container.ts';
import { workloadOptionRows } from './rows/options.ts';
import { sidecarRows } from './rows/sidecar.ts';
import { workloadRows } from './rows/workload.ts';
import { runRows } from './runRows.ts';

runRows([...sidecarRows, ...workloadRows, ...containerRows, ...workloadOptionRows]);
