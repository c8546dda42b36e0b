import { behaviourRows } from './rows/behaviour.ts';
import { subPathRows } from './rows/subPaths.ts';
import { runRows } from './runRows.ts';

runRows([...subPathRows, ...behaviourRows]);
