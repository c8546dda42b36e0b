import { accessRoutes } from './accessRoutes.ts';
import { agentRoutes } from './agentRoutes.ts';
import { auditRoutes } from './auditRoutes.ts';
import { clockRoutes } from './clockRoutes.ts';
import { commandRoutes } from './commandRoutes.ts';
import { deploymentRoutes } from './deploymentRoutes.ts';
import { discoveryRoutes } from './discoveryRoutes.ts';
import { domainRoutes } from './domainRoutes.ts';
import { eventRoutes } from './eventRoutes.ts';
import { exporterRoutes } from './exporterRoutes.ts';
import { faultRoutes } from './faultRoutes.ts';
import { healthRoutes } from './healthRoutes.ts';
import { imageRoutes } from './imageRoutes.ts';
import { locationRoutes } from './locationRoutes.ts';
import { logRoutes } from './logRoutes.ts';
import { openApiRoutes } from './openApiRoutes.ts';
import { orgRoutes } from './orgRoutes.ts';
import { quotaRoutes } from './quotaRoutes.ts';
import { recordRoutes } from './recordRoutes.ts';
import type { Route } from './route.ts';
import { secretRoutes } from './secretRoutes.ts';
import { serviceAccountRoutes } from './serviceAccountRoutes.ts';
import { snapshotRoutes } from './snapshotRoutes.ts';
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
  ...clockRoutes,
  ...faultRoutes,
  ...snapshotRoutes,
];

/** Every operation of the API. */
export const routes: readonly Route[] = [...served, ...openApiRoutes(served)];
