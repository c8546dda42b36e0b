import { runRows } from './harness/runRows.ts';
import { typeRows } from './rows/types.ts';
import { executionRows } from './rows/workload/executions.ts';

runRows([...typeRows, ...executionRows]);
