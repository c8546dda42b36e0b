import { runRows } from './harness/runRows.ts';
import { errorRows } from './rows/errors.ts';
import { limitAndVersionRows } from './rows/limits.ts';
import { permissionRows } from './rows/permissions.ts';
import { serviceRows } from './rows/service.ts';

runRows([...serviceRows, ...permissionRows, ...errorRows, ...limitAndVersionRows]);
