import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonValue } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import type { SavedPlan, SavedSecret } from '../../change/saved/savedPlan.ts';
import { fillRecord, fingerprinted } from '../../change/saved/secrets.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { splitSelector } from '../../project/inputs/stackSelector.ts';
import type { Environment, Session } from '../../project/session/session.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { loadManifests } from '../loading/loadStack.ts';
import { fingerprinter } from './fingerprint.ts';

/** Compares a value with the fingerprint of a place. */
export type Recognise = (secret: SavedSecret, value: JsonValue | undefined) => Promise<boolean>;

/** Declares again what a saved plan was made from, secret values included. */
export type SecretInputs = () => Promise<readonly DesiredResource[]>;

/** Errors: `saved.key-missing`. */
export function recogniser(saved: SavedPlan, environment: Environment): Recognise {
  const { fingerprints } = saved;
  if (fingerprints === undefined) return () => Promise.resolve(false);
  const fingerprint = fingerprinter(fingerprints, environment);
  return async (secret, value) =>
    value !== undefined && (await fingerprint(fingerprinted(secret.resource, value))) === secret.fingerprint;
}

/**
 * What is declared of these resources, with the secret values of the inputs that the plan was made from, read again.
 *
 * Errors: `saved.input-missing`; `saved.secret-changed` for a value that is not the one of the plan.
 */
export async function readSecretsAgain(
  saved: SavedPlan,
  ids: ReadonlySet<ResourceId>,
  recognise: Recognise,
  readInputs: SecretInputs,
): Promise<readonly DesiredResource[]> {
  const inputs = new Map((await readInputs()).map((resource) => [resource.id, resource]));
  const wanted = saved.secrets.filter(({ resource, in: part }) => part === 'record' && ids.has(resource));
  const values = new Map<SavedSecret, JsonValue>();
  for (const secret of wanted) {
    const value = valueThere(inputs.get(secret.resource)?.record, secret.at);
    if (value === undefined) throw secretChanged(secret.resource, ': none is declared here');
    if (!(await recognise(secret, value))) throw secretChanged(secret.resource);
    values.set(secret, value);
  }
  return saved.declared.map((resource) => fillRecord(resource, wanted, (secret) => values.get(secret)));
}

/** What the inputs of a plan declare, read again. Errors: `saved.input-missing`. */
export async function loadInputs({ inputs, plan }: SavedPlan, session: Session): Promise<readonly DesiredResource[]> {
  if (inputs.paths.includes('-')) throw inputMissing('-', 'standard input');
  const split = await Promise.all(inputs.paths.map((path) => splitSelector(path, session.cwd)));
  for (const { path } of split) {
    if ((await stat(resolve(session.cwd, path)).catch(() => undefined)) === undefined && !/[*?[{]/.test(path)) {
      throw inputMissing(path, path);
    }
  }
  const { gvc, environment: env } = inputs;
  const named = { ...(gvc === undefined ? {} : { gvc }), ...(env === undefined ? {} : { env }) };
  const options = { ...session.options, org: plan.org, ...named };
  const { desired } = await loadManifests({ ...session, options }, inputs.paths).catch((error: unknown) => {
    if (!(error instanceof ToolError) || error.code !== 'input.invalid') throw error;
    throw inputMissing(inputs.paths.join(', '), 'what it declares has problems', error.causes);
  });
  return desired;
}

function inputMissing(path: string, what: string, causes: readonly ErrorCause[] = []): ToolError {
  const why = path === '-' ? `${what} cannot be read again` : path === what ? `${path} is not there` : what;
  return new ToolError({
    code: 'saved.input-missing',
    message: `this plan writes secrets, whose values must be read from its manifests again: ${why}`,
    hint: 'Run it where its manifests are, unchanged since the plan was made; or plan again.',
    causes,
  });
}

/** `why` goes on with the message. */
export function secretChanged(id: ResourceId, why = ''): ToolError {
  return new ToolError({
    code: 'saved.secret-changed',
    message: `the value of ${id} differs from the one that the plan was made with${why}`,
    hint: 'Plan again with the new value, or restore the old one.',
    resource: id,
  });
}
