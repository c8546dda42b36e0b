import type { AppEnvironment } from '../../../constructs/environments.ts';
import { Origin } from '../../../constructs/origin.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import type { PlanDocument } from '../../change/documents/planDocument.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import type { DeclarableKind } from '../../schema/record/kinds.ts';
import type { AnyManifest, ManifestOf } from './manifestOf.ts';

/** `error` refuses: nothing is written. `warning` is only reported. */
export type PolicySeverity = 'error' | 'warning';

export interface PolicyProblem {
  /** The problem, without the name of the resource and the path. */
  readonly message: string;
  /** The next step for the reader. */
  readonly fix?: string | undefined;
  /** Dotted, list items by key, as in a plan: `spec.containers.main.image`. Absent for the resource as a whole. */
  readonly path?: string | undefined;
  /** Its id, such as `workload/shop/web`. If absent, the resource that the policy was called with. */
  readonly resource?: string | undefined;
  /** If absent, that of the policy. */
  readonly severity?: PolicySeverity | undefined;
}

/** Nothing, or an empty list, if there is no problem. A generator may yield them. */
export type PolicyProblems = Iterable<PolicyProblem> | Promise<Iterable<PolicyProblem>>;

/** The values available to every policy. They cannot be changed. */
export interface PolicyContext {
  /** Everything that the stack declares, ordered by id. */
  readonly resources: readonly AnyManifest[];
  /** The environment of stacks: `--env`, or `env` of `gantry.yaml`, with its values; undefined if none is set. */
  readonly environment: AppEnvironment<Readonly<Record<string, JsonValue>>> | undefined;
  /** The content of the files that `policies.inputs` of `gantry.yaml` names. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** The start of the command: `2027-01-31T09:30:00.000Z`. The clock of policies always shows this time. */
  readonly now: string;
}

interface PolicyAbout {
  /** Lower-case words with hyphens, unique in the project: `images-pinned`. */
  readonly id: string;
  /** One sentence. */
  readonly about?: string | undefined;
  /** @default 'error' */
  readonly severity?: PolicySeverity | undefined;
}

/** Called for each resource of its kinds. */
export interface ResourcePolicy<Kind extends DeclarableKind> extends PolicyAbout {
  /** If absent, resources of every kind. */
  readonly kind?: Kind | readonly Kind[] | undefined;
  readonly resource: (resource: ManifestOf<Kind>, context: PolicyContext) => PolicyProblems;
}

/** Called once for the plan, if there is one. */
export interface PlanPolicy extends PolicyAbout {
  readonly plan: (plan: PlanDocument, context: PolicyContext) => PolicyProblems;
}

/** A runnable policy. Only `policy()` creates them. */
export interface Policy {
  readonly id: string;
  readonly about: string;
  readonly severity: PolicySeverity;
  /** Undefined for all kinds. */
  readonly kinds: readonly string[] | undefined;
  readonly resource: ((resource: never, context: PolicyContext) => PolicyProblems) | undefined;
  readonly plan: PlanPolicy['plan'] | undefined;
  /** The position of the code that created it. */
  position(): Position;
}

/** Identifies a policy, also one that another copy of this package created. */
export const policyMark = Symbol.for('gantry.policy');

const idGrammar = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const longestId = 64;

/**
 * A rule of the project about what its stacks declare, or what a plan does. Not the resource of the kind `policy`,
 * which grants permissions on the platform.
 *
 * Errors: `policies.definition` if the options are invalid.
 *
 * @example
 * export const named = policy({
 *   id: 'owner-is-named',
 *   kind: 'workload',
 *   resource: ({ tags = {} }) => ('owner' in tags ? [] : [{ message: 'nobody is named as its owner', path: 'tags' }]),
 * });
 */
export function policy<const Kind extends DeclarableKind>(options: ResourcePolicy<Kind>): Policy;
export function policy(options: PlanPolicy): Policy;
export function policy(options: ResourcePolicy<DeclarableKind> | PlanPolicy): Policy {
  const { id, about = '', severity = 'error' } = options;
  const origin = new Origin(policy);
  if (!isPolicyId(id)) throw notOne(`${JSON.stringify(id)} is not the id of a policy`);
  const [resource, plan] = [
    'resource' in options ? options.resource : undefined,
    'plan' in options ? options.plan : undefined,
  ];
  if ((typeof resource === 'function') === (typeof plan === 'function')) {
    throw notOne(`the policy ${id} needs one function, resource or plan`);
  }
  const kind = 'kind' in options ? options.kind : undefined;
  const made: Policy = {
    id,
    about,
    severity,
    kinds: kind === undefined ? undefined : [kind].flat(),
    resource,
    plan,
    position: () => origin.position(),
  };
  return Object.freeze(Object.assign(made, { [policyMark]: true }));
}

export function isPolicyId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= longestId && idGrammar.test(id);
}

function notOne(message: string): ToolError {
  return new ToolError({
    code: 'policies.definition',
    message,
    hint: "An example: policy({ id: 'images-pinned', kind: 'workload', resource: (workload) => [] }).",
  });
}

/** A problem that a policy found, with the policy. */
export interface Finding extends PolicyProblem {
  readonly policy: string;
  readonly severity: PolicySeverity;
}
