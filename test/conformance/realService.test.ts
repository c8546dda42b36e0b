import { runRows } from './harness/runRows.ts';
import { realServiceRows } from './rows/clients/realService.ts';

runRows(realServiceRows);
