import { isObject, type JsonObject, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { withArticle } from '../../../base/text/article.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { schemaProblems } from './schemaProblems.ts';

/** Platform-owned members of a command: ignored in a request, as for every record (platform/wire.writes). */
const readOnly = [
  ...['id', 'kind', 'ownerId', 'version', 'created', 'lastModified', 'links', 'lifecycleStage', 'status'],
] as const;

/** The part of a command type that its body depends on. */
export interface KnownType {
  readonly owner: string;
  readonly type: string;
  readonly spec: JsonObject;
}

export type ReadCommand<T extends KnownType> =
  | { readonly ok: true; readonly type: T; readonly spec: JsonObject; readonly tags: JsonObject }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The body of `POST <item>/-command` (platform/commands): `type`, `spec` by the schema of that type, `tags`. */
export function readCommand<T extends KnownType>(body: JsonObject, owner: string, types: readonly T[]): ReadCommand<T> {
  const envelope = schemaProblems(
    {
      type: 'object',
      properties: {
        type: { type: 'string' },
        spec: { type: 'object' },
        tags: { type: 'object' },
        ...Object.fromEntries(readOnly.map((name) => [name, {}])),
      },
      required: ['type'],
    },
    body,
  );
  if (envelope.length > 0) return { ok: false, problems: envelope };

  const name = stringAt(body, 'type') ?? '';
  const type = types.find((each) => each.owner === owner && each.type === name);
  if (type === undefined) return { ok: false, problems: [unknownType(name, owner, types)] };
  const spec = withoutNulls(objectAt(body, 'spec'));
  const problems = schemaProblems(type.spec, spec, ['spec']);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, type, spec, tags: tagsOf(body) };
}

/** A `null` member counts as omitted, as in every other request (platform/concepts.tags). */
function withoutNulls(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
}

function tagsOf(body: JsonObject): JsonObject {
  const tags = own(body, 'tags');
  return isObject(tags) ? withoutNulls(tags) : {};
}

function unknownType(name: string, owner: string, types: readonly KnownType[]): Problem {
  const known = types.filter((each) => each.owner === owner).map((each) => each.type);
  const elsewhere = types.find((each) => each.type === name);
  const message =
    elsewhere === undefined
      ? `${JSON.stringify(name)} is not a type of command; ${withArticle(owner)} takes ${known.join(', ')}`
      : `${name} is a command of ${withArticle(elsewhere.owner)}; ${withArticle(owner)} takes ${known.join(', ')}`;
  return { rule: 'command.type', path: 'type', pointer: ['type'], message, severity: 'error' };
}
