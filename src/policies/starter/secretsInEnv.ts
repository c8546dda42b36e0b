import { masked } from '../model/manifestOf.ts';
import { type PolicyProblem, policy } from '../model/policy.ts';

interface Variable {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Names that end so hold secrets; `TOKEN_TTL` and `SECRET_NAME` do not. */
const secretName =
  /(?:^|[_.-])(?:password|passwd|pwd|passphrase|secret|token|credentials?|(?:api|access|private|signing|encryption)_?key)$/i;
/** Looks like a secret: private keys, keys of clouds and forges, tokens, addresses with a password. */
const secretValue =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|^AKIA[0-9A-Z]{16}$|^gh[pousr]_\w{30,}$|^eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]+:[^/\s@]+@/;
/** A reference to a secret (platform/concepts.links). */
const reference = /^scheme:\/\/secret\//;

/** Whoever may view the workload could read it. */
export const secretsInEnv = policy({
  id: 'secrets-in-env',
  about: 'No variable holds a password, key or token as plain text.',
  kind: ['workload', 'gvc'],
  resource(resource) {
    if (resource.kind === 'gvc') return faultsOf(resource.spec?.env, 'spec.env');
    return resource.spec.containers.flatMap(({ name, env }) => faultsOf(env, `spec.containers.${name}.env`));
  },
});

function faultsOf(variables: readonly Variable[] = [], at: string): readonly PolicyProblem[] {
  return variables.flatMap(({ name, value = '' }) => {
    if (value === '' || reference.test(value)) return [];
    const isSecret = secretName.test(name) || (value !== masked && secretValue.test(value));
    if (!isSecret) return [];
    const fix = 'Put it into a secret, and refer to that: scheme://secret/NAME.KEY.';
    return [{ message: `${name} holds a secret as plain text`, path: `${at}.${name}.value`, fix }];
  });
}
