import { policy } from '../model/policy.ts';

/** Without a probe a container that hangs goes on getting requests. */
export const probesPresent = policy({
  id: 'probes-present',
  about: 'Containers that listen have a readiness probe, and should have a liveness probe.',
  kind: 'workload',
  resource({ spec }) {
    if (spec.type === 'cron' || spec.type === 'vm') return [];
    const { type } = spec;
    return spec.containers.flatMap((container) => {
      const { name, ports = [], port, readinessProbe, livenessProbe } = container;
      if (ports.length === 0 && port === undefined) return [];
      const path = `spec.containers.${name}`;
      return [
        // A serverless workload is checked by TCP without one (platform/workload.probes).
        ...(readinessProbe === undefined && type !== 'serverless'
          ? [{ message: 'it gets requests before it is ready', path, fix: 'Add a readinessProbe.' }]
          : []),
        ...(livenessProbe === undefined
          ? [
              {
                message: 'nothing restarts it when it hangs',
                path,
                fix: 'Add a livenessProbe.',
                severity: 'warning' as const,
              },
            ]
          : []),
      ];
    });
  },
});
