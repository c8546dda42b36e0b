import type { Row } from '../../harness/row.ts';
import { changeCommandRows } from './cliChanges.ts';
import { genericCommandRows } from './cliGeneric.ts';
import { kindCommandRows } from './cliKinds.ts';
import { clientOptionRows } from './cliOptions.ts';
import { queryRows } from './cliQuery.ts';
import { gantryRows } from './gantry.ts';

/** The commands of clients: the public one's requests, and Gantry's own. */
export const clientCommandRows: readonly Row[] = [
  ...genericCommandRows,
  ...changeCommandRows,
  ...queryRows(),
  ...kindCommandRows,
  ...clientOptionRows,
  ...gantryRows,
];
