import type { Row } from './row.ts';
import { behaviourRows } from './rows/behaviour.ts';
import { genericCommandRows } from './rows/cliGeneric.ts';
import { kindCommandRows } from './rows/cliKinds.ts';
import { clientOptionRows } from './rows/cliOptions.ts';
import { queryRows } from './rows/cliQuery.ts';
import { containerRows } from './rows/container.ts';
import { domainRows } from './rows/domain.ts';
import { domainStatusRows } from './rows/domainStatus.ts';
import { endpointRows, payloadRows } from './rows/endpoints.ts';
import { envelopeRows } from './rows/envelope.ts';
import { errorRows } from './rows/errors.ts';
import { executionRows } from './rows/executions.ts';
import { growthRows } from './rows/growth.ts';
import { gvcRows } from './rows/gvc.ts';
import { lifeRows } from './rows/life.ts';
import { limitAndVersionRows } from './rows/limits.ts';
import { operationRows } from './rows/operations.ts';
import { workloadOptionRows } from './rows/options.ts';
import { patchRows } from './rows/patch.ts';
import { permissionRows } from './rows/permissions.ts';
import { publicClientRows } from './rows/publicClients.ts';
import { realServiceRows } from './rows/realService.ts';
import { referenceRows } from './rows/references.ts';
import { refusalRows } from './rows/refusals.ts';
import { resourceRows } from './rows/resources.ts';
import { serviceRows } from './rows/service.ts';
import { sidecarRows } from './rows/sidecar.ts';
import { storedRows } from './rows/stored.ts';
import { subPathRows } from './rows/subPaths.ts';
import { typeRows } from './rows/types.ts';
import { volumeRuleRows } from './rows/volumeRules.ts';
import { volumeSetRows } from './rows/volumeSet.ts';
import { workloadRows } from './rows/workload.ts';

/** The conformance table, in the order of the specification. */
export const table: readonly Row[] = [
  ...envelopeRows,
  ...gvcRows,
  ...sidecarRows,
  ...workloadRows,
  ...containerRows,
  ...workloadOptionRows,
  ...domainRows,
  ...domainStatusRows,
  ...volumeSetRows,
  ...volumeRuleRows,
  ...growthRows,
  ...typeRows,
  ...executionRows,
  ...operationRows,
  ...payloadRows(),
  ...endpointRows(),
  ...patchRows,
  ...resourceRows,
  ...publicClientRows,
  ...subPathRows,
  ...behaviourRows,
  ...lifeRows,
  ...storedRows,
  ...referenceRows,
  ...refusalRows,
  ...genericCommandRows,
  ...queryRows(),
  ...kindCommandRows,
  ...clientOptionRows,
  ...serviceRows,
  ...permissionRows,
  ...errorRows,
  ...limitAndVersionRows,
  ...realServiceRows,
];
