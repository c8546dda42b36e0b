import { genericCommandRows } from './rows/cliGeneric.ts';
import { kindCommandRows } from './rows/cliKinds.ts';
import { clientOptionRows } from './rows/cliOptions.ts';
import { queryRows } from './rows/cliQuery.ts';
import { runRows } from './runRows.ts';

runRows([...genericCommandRows, ...queryRows(), ...kindCommandRows, ...clientOptionRows]);
