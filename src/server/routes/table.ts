import type { CustomKind } from '../../schema/record/kinds.ts';
import type { Route } from '../dispatch/route.ts';
import { accessRoutes } from './everyKind/accessRoutes.ts';
import { auditRoutes } from './everyKind/auditRoutes.ts';
import { commandRoutes } from './everyKind/commandRoutes.ts';
import { eventRoutes, eventRoutesOf } from './everyKind/eventRoutes.ts';
import { exporterRoutes } from './everyKind/exporterRoutes.ts';
import { recordRoutes, recordRoutesOf } from './everyKind/recordRoutes.ts';
import { agentRoutes } from './oneKind/agentRoutes.ts';
import { deploymentRoutes } from './oneKind/deploymentRoutes.ts';
import { domainRoutes } from './oneKind/domainRoutes.ts';
import { imageRoutes } from './oneKind/imageRoutes.ts';
import { locationRoutes } from './oneKind/locationRoutes.ts';
import { logRoutes } from './oneKind/logRoutes.ts';
import { orgRoutes } from './oneKind/orgRoutes.ts';
import { quotaRoutes } from './oneKind/quotaRoutes.ts';
import { secretRoutes } from './oneKind/secretRoutes.ts';
import { serviceAccountRoutes } from './oneKind/serviceAccountRoutes.ts';
import { taskRoutes } from './oneKind/taskRoutes.ts';
import { userRoutes } from './oneKind/userRoutes.ts';
import { volumeSetRoutes } from './oneKind/volumeSetRoutes.ts';
import { workloadRoutes } from './oneKind/workloadRoutes.ts';
import { clockRoutes } from './service/clockRoutes.ts';
import { discoveryRoutes } from './service/discoveryRoutes.ts';
import { faultRoutes } from './service/faultRoutes.ts';
import { healthRoutes } from './service/healthRoutes.ts';
import { openApiRoutes } from './service/openApiRoutes.ts';
import { snapshotRoutes } from './service/snapshotRoutes.ts';

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
