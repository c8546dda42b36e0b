import type { Parts } from '../../plan/stacks.ts';

/**
 * With every referenced resource, so that few stacks are refused. Secrets, replaced volume sets and clouds are equal to those
 * of the second stack, because they cannot be restored.
 */
export function complete(of: Parts, { registry, secret, rows, cloud }: Parts): Parts {
  const named = (name: string) => of.gvc?.keda === name || of.web?.identity === name;
  const app = named('app') || (of.policy && secret) ? (of.app ?? { cloud: false }) : of.app;
  return {
    ...of,
    gvc: {
      ...{ keda: undefined, naming: false, described: false },
      ...of.gvc,
      pulls: registry !== undefined,
      ipSet: false,
    },
    app: app === undefined ? undefined : { cloud: app.cloud && cloud === 'aws' },
    spare: of.spare || named('spare'),
    cloud,
    registry,
    secret,
    rows,
    policy: of.policy && secret,
    files: true,
    db: of.db === undefined ? undefined : { type: 'stateful', mounts: rows === undefined ? undefined : of.db.mounts },
    next: undefined,
    web: of.web === undefined ? undefined : { ...of.web, reads: of.web.reads && secret },
    domain: of.web === undefined ? undefined : of.domain === undefined ? undefined : 'route',
    sub: false,
    robot: true,
  };
}
