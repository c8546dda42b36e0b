import type { CustomKind } from '../schema/record/kinds.ts';
import { accessRoutes } from './access/routes/accessRoutes.ts';
import { serviceAccountRoutes } from './access/routes/serviceAccountRoutes.ts';
import { userRoutes } from './access/routes/userRoutes.ts';
import { clockRoutes } from './api/routes/clockRoutes.ts';
import { consoleRoutes } from './api/routes/consoleRoutes.ts';
import { discoveryRoutes } from './api/routes/discoveryRoutes.ts';
import { exporterRoutes } from './api/routes/exporterRoutes.ts';
import { faultRoutes } from './api/routes/faultRoutes.ts';
import { healthRoutes } from './api/routes/healthRoutes.ts';
import { openApiRoutes } from './api/routes/openApiRoutes.ts';
import { snapshotRoutes } from './api/routes/snapshotRoutes.ts';
import { auditRoutes } from './audit/routes/auditRoutes.ts';
import { eventRoutes, eventRoutesOf } from './audit/routes/eventRoutes.ts';
import { commandRoutes } from './commands/routes/commandRoutes.ts';
import { domainRoutes } from './domains/routes/domainRoutes.ts';
import type { Route } from './http/dispatch/route.ts';
import { agentRoutes } from './records/routes/agentRoutes.ts';
import { imageRoutes } from './records/routes/imageRoutes.ts';
import { locationRoutes } from './records/routes/locationRoutes.ts';
import { orgRoutes } from './records/routes/orgRoutes.ts';
import { recordRoutes, recordRoutesOf } from './records/routes/recordRoutes.ts';
import { replaceRoute } from './records/routes/replaceRoute.ts';
import { secretRoutes } from './records/routes/secretRoutes.ts';
import { taskRoutes } from './tasks/routes/taskRoutes.ts';
import { volumeSetRoutes } from './volumes/routes/volumeSetRoutes.ts';
import { deploymentRoutes } from './workloads/routes/deploymentRoutes.ts';
import { logRoutes } from './workloads/routes/logRoutes.ts';
import { workloadRoutes } from './workloads/routes/workloadRoutes.ts';

const served: readonly Route[] = [
  ...orgRoutes,
  ...exporterRoutes,
  ...eventRoutes,
  ...discoveryRoutes,
  ...auditRoutes,
  ...accessRoutes,
  ...recordRoutes,
  ...deploymentRoutes,
  ...commandRoutes,
  ...secretRoutes,
  ...domainRoutes,
  ...serviceAccountRoutes,
  ...userRoutes,
  ...taskRoutes,
  // Quotas exist from the beginning; only their limits can be set (platform/quota).
  replaceRoute('quota'),
  ...imageRoutes,
  ...agentRoutes,
  ...locationRoutes,
  ...workloadRoutes,
  ...volumeSetRoutes,
  ...logRoutes,
  ...healthRoutes,
  ...consoleRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...snapshotRoutes,
];

/** The routes of a custom kind: its records as they are, and their events. No rule and no policy is about them. */
export function routesOfCustomKind(kind: CustomKind): readonly Route[] {
  return [...recordRoutesOf(kind), ...eventRoutesOf(kind)];
}

/** Every operation of the API. */
export const routes: readonly Route[] = [...served, ...openApiRoutes(served)];
