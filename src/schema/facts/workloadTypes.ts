/** The types of a workload (platform/workload.types). */
export const workloadTypes = ['serverless', 'standard', 'stateful', 'cron', 'vm'] as const;
export type WorkloadType = (typeof workloadTypes)[number];
