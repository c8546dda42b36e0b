import { runRows } from './harness/runRows.ts';
import { wireRows } from './rows/wire.ts';

runRows(wireRows);
