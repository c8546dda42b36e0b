import type { Row } from './harness/row.ts';
import { queryRows } from './rows/clients/cliQuery.ts';
import { commandRows } from './rows/clients/commands.ts';
import { realServiceRows } from './rows/clients/realService.ts';
import { domainRows } from './rows/domain/domain.ts';
import { domainStatusRows } from './rows/domain/domainStatus.ts';
import { envelopeRows } from './rows/envelope.ts';
import { errorRows } from './rows/errors.ts';
import { gvcRows } from './rows/gvc.ts';
import { limitAndVersionRows } from './rows/limits.ts';
import { referenceRows } from './rows/references.ts';
import { refusalRows } from './rows/refusals.ts';
import { serviceRows } from './rows/service.ts';
import { storedRows } from './rows/stored.ts';
import { typeRows } from './rows/types.ts';
import { growthRows } from './rows/volumeset/growth.ts';
import { volumeRuleRows } from './rows/volumeset/volumeRules.ts';
import { volumeSetRows } from './rows/volumeset/volumeSet.ts';
import { wireRows } from './rows/wire.ts';
import { containerRows } from './rows/workload/container.ts';
import { executionRows } from './rows/workload/executions.ts';
import { workloadOptionRows } from './rows/workload/options.ts';
import { sidecarRows } from './rows/workload/sidecar.ts';
import { workloadRows } from './rows/workload/workload.ts';
import { writeRows } from './rows/writes.ts';

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
  ...wireRows,
  ...storedRows,
  ...referenceRows,
  ...refusalRows,
  ...writeRows,
  ...commandRows,
  ...queryRows,
  ...serviceRows,
  ...errorRows,
  ...limitAndVersionRows,
  ...realServiceRows,
];
