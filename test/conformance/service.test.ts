import { runRows } from './harness/runRows.ts';
import { errorRows } from './rows/errors.ts';
import { limitAndVersionRows } from './rows/limits.ts';
import { serviceRows } from './rows/service.ts';

runRows([...serviceRows, ...errorRows, ...limitAndVersionRows]);
