import type { Row } from '../harness/row.ts';
import { applyRows } from './clients/apply.ts';
import { providerRows } from './clients/provider.ts';
import { operationRows } from './operations.ts';
import { patchRows } from './patch/patch.ts';
import { endpointRows, payloadRows } from './workload/endpoints.ts';
import { resourceRows } from './workload/resources.ts';

/** The operations of the wire, and how the known clients use them. */
export const wireRows: readonly Row[] = [
  ...operationRows,
  ...payloadRows(),
  ...endpointRows(),
  ...patchRows,
  ...resourceRows,
  ...applyRows,
  ...providerRows,
];
