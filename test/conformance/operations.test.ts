import { endpointRows, payloadRows } from './rows/endpoints.ts';
import { operationRows } from './rows/operations.ts';
import { patchRows } from './rows/patch.ts';
import { publicClientRows } from './rows/publicClients.ts';
import { resourceRows } from './rows/resources.ts';
import { runRows } from './runRows.ts';

runRows([...operationRows, ...payloadRows(), ...endpointRows(), ...patchRows, ...resourceRows, ...publicClientRows]);
