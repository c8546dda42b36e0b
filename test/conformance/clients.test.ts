import { runRows } from './harness/runRows.ts';
import { clientCommandRows } from './rows/clients/commands.ts';

runRows(clientCommandRows);
