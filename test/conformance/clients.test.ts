import { runRows } from './harness/runRows.ts';
import { queryRows } from './rows/clients/cliQuery.ts';
import { commandRows } from './rows/clients/commands.ts';

runRows([...commandRows, ...queryRows]);
