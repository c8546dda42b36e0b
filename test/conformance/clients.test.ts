import { runRows } from './harness/runRows.ts';
import { changeCommandRows } from './rows/clients/cliChanges.ts';
import { genericCommandRows } from './rows/clients/cliGeneric.ts';
import { kindCommandRows } from './rows/clients/cliKinds.ts';
import { clientOptionRows } from './rows/clients/cliOptions.ts';
import { queryRows } from './rows/clients/cliQuery.ts';
import { gantryRows } from './rows/clients/gantry.ts';

runRows([
  ...genericCommandRows,
  ...changeCommandRows,
  ...queryRows(),
  ...kindCommandRows,
  ...clientOptionRows,
  ...gantryRows,
]);
