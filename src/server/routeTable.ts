import type { CustomKind } from '../schema/record/kinds.ts';
import { accessRoutes, serviceAccountRoutes, userRoutes } from './access/routes.ts';
import { consoleRoutes } from './api/consoleRoutes.ts';
import { exporterRoutes } from './api/exporterRoutes.ts';
import { openApiRoutes } from './api/openApiRoutes.ts';
import { clockRoutes, discoveryRoutes, faultRoutes, healthRoutes } from './api/routes.ts';
import { snapshotRoutes } from './api/snapshotRoutes.ts';
import { auditRoutes, eventRoutes, eventRoutesOf } from './audit/routes.ts';
import { commandRoutes } from './commands/routes.ts';
import { domainRoutes } from './domains/routes.ts';
import type { Route } from './http/dispatch/route.ts';
import { imageRoutes, orgRoutes } from './records/orgRoutes.ts';
import {
  agentRoutes,
  locationRoutes,
  recordRoutes,
  recordRoutesOf,
  replaceRoute,
  secretRoutes,
} from './records/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { volumeSetRoutes } from './volumes/routes.ts';
import { deploymentRoutes, logRoutes, workloadRoutes } from './workloads/routes.ts';

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
  // Quotas always exist; only their limits can be set (platform/quota).
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

/** The routes of a custom kind: its unmodified records and their events. It has no rules and no policies. */
export function routesOfCustomKind(kind: CustomKind): readonly Route[] {
  return [...recordRoutesOf(kind), ...eventRoutesOf(kind)];
}

/** All operations of the API. */
export const routes: readonly Route[] = [...served, ...openApiRoutes(served)];
