import type { Run } from '../call/command.ts';

const cron = () => import('./cron.ts');
const keys = () => import('./keys.ts');
const members = () => import('./members.ts');
const tasks = () => import('./tasks.ts');
const volumes = () => import('./volumes.ts');
const workloads = () => import('./workloads.ts');

/** The commands of single kinds, by the name that `kinds/<kind>/client.ts` has for each. */
export const runs: Readonly<Record<string, () => Promise<Run>>> = {
  addKey: async () => (await keys()).runAddKey,
  addMember: async () => (await members()).runAddMember,
  completeTask: async () => (await tasks()).runCompleteTask,
  createSnapshots: async () => (await volumes()).runCreateSnapshot,
  cronImage: async () => (await cron()).runCronImage,
  deleteSnapshots: async () => (await volumes()).runDeleteSnapshot,
  deleteVolumes: async () => (await volumes()).runDeleteVolume,
  deleteWorkloads: async () => (await import('./remove.ts')).runDeleteWorkloads,
  expandVolumes: async () => (await volumes()).runExpand,
  getCron: async () => (await cron()).runGetCron,
  getDeployments: async () => (await workloads()).runGetDeployments,
  getMyTasks: async () => (await tasks()).runGetMine,
  getReplicas: async () => (await workloads()).runGetReplicas,
  getSnapshots: async () => (await volumes()).runGetSnapshots,
  getVolumes: async () => (await volumes()).runGetVolumes,
  logs: async () => (await import('./logs.ts')).runLogs,
  redeploy: async () => (await workloads()).runRedeploy,
  removeMember: async () => (await members()).runRemoveMember,
  restoreSnapshots: async () => (await volumes()).runRestoreSnapshot,
  shrinkVolumes: async () => (await volumes()).runShrink,
  startCron: async () => (await cron()).runStartCron,
  stopReplica: async () => (await workloads()).runStopReplica,
};
