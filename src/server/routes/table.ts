import type { CustomKind } from '../../schema/record/kinds.ts';
import type { Route } from '../dispatch/route.ts';
import { accessRoutes } from './accessRoutes.ts';
import { agentRoutes } from './agentRoutes.ts';
import { auditRoutes } from './auditRoutes.ts';
import { commandRoutes } from './commandRoutes.ts';
import { deploymentRoutes } from './deploymentRoutes.ts';
import { domainRoutes } from './domainRoutes.ts';
import { eventRoutes, eventRoutesOf } from './eventRoutes.ts';
import { exporterRoutes } from './exporterRoutes.ts';
import { imageRoutes } from './imageRoutes.ts';
import { locationRoutes } from './locationRoutes.ts';
import { logRoutes } from './logRoutes.ts';
import { orgRoutes } from './orgRoutes.ts';
import { quotaRoutes } from './quotaRoutes.ts';
import { recordRoutes, recordRoutesOf } from './recordRoutes.ts';
import { secretRoutes } from './secretRoutes.ts';
import { clockRoutes } from './service/clockRoutes.ts';
import { consoleRoutes } from './service/consoleRoutes.ts';
import { discoveryRoutes } from './service/discoveryRoutes.ts';
import { faultRoutes } from './service/faultRoutes.ts';
import { healthRoutes } from './service/healthRoutes.ts';
import { openApiRoutes } from './service/openApiRoutes.ts';
import { snapshotRoutes } from './service/snapshotRoutes.ts';
import { serviceAccountRoutes } from './serviceAccountRoutes.ts';
import { taskRoutes } from './taskRoutes.ts';
import { userRoutes } from './userRoutes.ts';
import { volumeSetRoutes } from './volumeSetRoutes.ts';
import { workloadRoutes } from './workloadRoutes.ts';

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
  ...quotaRoutes,
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

/** What there is of a custom kind: its records as they are, and their events. No rule and no policy is about them. */
export function routesOfCustomKind(kind: CustomKind): readonly Route[] {
  return [...recordRoutesOf(kind), ...eventRoutesOf(kind)];
}

/** Every operation of the API. */
export const routes: readonly Route[] = [...served, ...openApiRoutes(served)];
