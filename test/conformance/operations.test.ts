import { runRows } from './harness/runRows.ts';
import { applyRows } from './rows/clients/apply.ts';
import { operatorRows } from './rows/clients/operator.ts';
import { providerRows } from './rows/clients/provider.ts';
import { publicClientRows } from './rows/clients/publicClients.ts';
import { operationRows } from './rows/operations.ts';
import { patchRows } from './rows/patch/patch.ts';
import { endpointRows, payloadRows } from './rows/workload/endpoints.ts';
import { resourceRows } from './rows/workload/resources.ts';

runRows([
  ...operationRows,
  ...payloadRows(),
  ...endpointRows(),
  ...patchRows,
  ...resourceRows,
  ...applyRows,
  ...publicClientRows,
  ...providerRows,
  ...operatorRows,
]);
