import type { Parts } from '../../plan/stacks.ts';

/**
 * With everything that is referred to, so that few stacks are refused; secrets, volume sets that are replaced, and
 * clouds are those of the second one: what goes of them does not come back.
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
