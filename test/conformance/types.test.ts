import { executionRows } from './rows/executions.ts';
import { typeRows } from './rows/types.ts';
import { runRows } from './runRows.ts';

runRows([...typeRows, ...executionRows]);
